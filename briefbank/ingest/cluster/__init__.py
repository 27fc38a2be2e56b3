"""Reading files on many machines: each file is a Dask task, and its result is what the bank's cache would hold of it.

See docs/decisions/0024-many-machines.md. Only `head` and `machines` import Dask, and nothing that searches imports this
package.
"""
