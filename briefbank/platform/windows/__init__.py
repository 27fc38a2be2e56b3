"""What Windows does differently from the systems that Python's own functions were made for; nothing else imports ctypes
for it. Every module can be imported everywhere, and does its work on Windows only.
"""
