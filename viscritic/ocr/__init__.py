"""Text on screens: where lines lie, and what they say."""

from viscritic.ocr.lines import find_lines
from viscritic.ocr.recognizer import ALPHABET_KEY, Line, Recognizer

__all__ = ["ALPHABET_KEY", "Line", "Recognizer", "find_lines"]
