"""The application that each ScreenAgent session was recorded in.

The data set does not say it. Its texts name the program in some sessions only, so this table was read by eye from the
screens: the program in which most of a session's steps happen. A PDF shown by Firefox counts as `firefox-pdf`, since
its viewer is a program of its own. A session that is not listed here keeps its own id as its application.
"""

from __future__ import annotations

from typing import Final

_SESSIONS: Final[dict[str, str]] = {
    "desktop-lxde": "dd41383f608c4cf8976f1ec8245af450",
    "desktop-windows": "session1 session2 session8 task012",
    "edge": "c948b7b7723047e0bc67823f732942db task007 task013 task202 task204",
    "firefox": """
        46495980ad304f71aca00cd727d8284e 4782a9089b964e4f8af05fe82aef7ad8 4945b590c0dc4a6e87118c17f40b4241
        77209b7bb7c04ab4ab47cc8f29fcfb89 80125c3fab984a3abe9460ce58cc0395 c45e329f87bf494eb781ac6a10c419c7
        c76c4a35f9b54672a973672c41b8073e d1486d82c8c74dd3aea49308c8e35179 d907be6c8ed846e89ae5783cdef32496
        session16 task020 task021 task101 task110 task115 task117
    """,
    "firefox-pdf": """
        847146a591be4ffeaab7e37f7afce175 9d8be4c0a3434e56b6a127a0056237e8 b6f3735607ae4167bc1f782ee6762bb9
        bdf79dcf3f504467a84af8022045f862 dd5b2c1370e7456c831b91a746bb3320
    """,
    "gimp": """
        6c01568d3a5a482b83f971b5af47659c a8ed12504f1a4ead9e0d05a2fd1a6d9e b101e7b7680f46bd8bd6a0dcf1d9ebc1
    """,
    "libreoffice-calc": """
        04b0ccaf1d5d47ac8b77edd8ca554f7e 0b7c187d84e64ec9a7a19b13fd44d8a0 1032b7888c2b4693bfd56e82a8767022
        5895dd6ad32147f29cece1ff89fb41f7 6ce77da73a6541d6a89a8ae51765bba6 70b0961a0da34c80a57d2cdafe07d7e1
        71df65dca6d9442aacdef0a852e47860
    """,
    "libreoffice-impress": "716ad9b2be5743e685e797b1f537f990 session54",
    "libreoffice-writer": """
        163238da99c1429194c82f77b6fa3724 90ad9fb5bc004033a365da9209320877 948ff9d294194f199eb020f3bd99506d
        adc971ec65f14fab9da520596676466b b18c655c8160419fa2e4eabbd8348b0b bb23661ad6b94b96afa97f143f858373
        e7aeba307e194ed7abee44f4a15a1671 session42 task106 task107
    """,
    "terminal": """
        530e54eefff045359b0c5917cb62b490 c4492c200c8a48ed835cd7885bc74a15 effc7b47621e4059a24a941ed16ad46f task019
    """,
    "visual-studio-code": "task114",
    "word": "task002",
}

APPS: Final[dict[str, str]] = {session: app for app, sessions in _SESSIONS.items() for session in sessions.split()}
