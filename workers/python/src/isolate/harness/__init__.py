"""Harness around one code tool, compiled into the standard library of the sandbox.

Nothing here is a security boundary: a tool can reach and change all of it, and harms only its own run.
"""
