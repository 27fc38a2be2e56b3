"""Reading files on many machines: units of files go to workers over Dask, what they read comes back over a share.

Dask carries names of units and counts, nothing else; see docs/decisions/0024-many-machines.md. Only the modules
`engine` and `programs` import Dask, and nothing that searches imports this package.
"""
