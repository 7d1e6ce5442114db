"""A window of three squares, drawn with Xlib: a click turns one blue, a key one darker. Says each change on its output.

Usage: x_app.py [--deaf]     deaf: the second square hears no click
"""

from __future__ import annotations

import sys

from Xlib import X, display

SIDE, GAP = 120, 20


def main() -> None:
    deaf = "--deaf" in sys.argv
    server = display.Display()
    screen = server.screen()
    window = screen.root.create_window(
        0, 0, 3 * SIDE + 4 * GAP, SIDE + 2 * GAP, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
        background_pixel=0xFFFFFF, event_mask=X.ExposureMask | X.ButtonPressMask | X.KeyPressMask,
    )  # fmt: skip
    window.map()
    context = window.create_gc()
    on = [False] * 3

    def draw() -> None:
        for i, lit in enumerate(on):
            context.change(foreground=0x2040C0 if lit else 0xC8C8C8)
            window.fill_rectangle(context, GAP + i * (SIDE + GAP), GAP, SIDE, SIDE)
        server.sync()

    while True:
        event = server.next_event()
        if event.type == X.Expose and event.count == 0:
            draw()
            window.set_input_focus(X.RevertToParent, X.CurrentTime)
            server.sync()
            print("shown", flush=True)
        elif event.type == X.ButtonPress and event.detail == 1:
            square, inside = divmod(event.event_x - GAP, SIDE + GAP)
            if 0 <= square < 3 and inside < SIDE and not (deaf and square == 1):
                on[square] = not on[square]
                draw()
            print("squares", "".join("X" if lit else "." for lit in on), flush=True)
        elif event.type == X.MappingNotify:
            server.refresh_keyboard_mapping(event)
        elif event.type == X.KeyPress:
            keysym = server.keycode_to_keysym(event.detail, event.state & X.ShiftMask)
            print("key", hex(keysym), event.state & ~X.LockMask, flush=True)


main()
