"""Collecting transitions from real GUIs, labelled by what the application itself says. Needs the extra `collect`.

    application.py   what an application must offer: reset to a state, elements, state, hits, traffic, intents, faults
    driver.py        what moves a GUI and looks at it; `settle`, `rest`
    browser.py       the driver for Chromium, with chromium.py (where it is, how it starts), browser_loop.py (calls that
                     have a bound), browser_input.py (mouse, keys, fingers), browser_network.py (requests, watched and
                     made to fail), devtools.py (scripts, pixels, rest) and view.py (viewports); four scripts run in its
                     pages: rest.js tells when nothing happens, page.js what is there and what is true, drawn.js draws,
                     acted.js makes a page fail
    headed.py        the same with the browser's own window, on a virtual display
    web_application.py, web_intents.py, web_gestures.py, web_errors.py, server.py    what all web applications share
    desktop.py       the driver for desktops, with desktop_session.py and desktop_keeper.py (its processes),
                     desktop_windows.py, desktop_keys.py; desktop_reader.py (the accessibility tree) and
                     desktop_stage.py (windows of others) run in the system's Python
    desktop_application.py, desktop_tree.py, desktop_intents.py, desktop_faults.py, desktop_noise.py, desktop_props.py,
                     desktop_files.py    what all desktop applications share
    faults.py, aimed_faults.py, given_faults.py    faults of the hand, for every application: where an action goes, and
                     what it brings
    page_faults.py, web_faults.py    faults of a page, of the network
    judge.py         the oracle: outcomes from facts
    observe.py       whether the screens can show an outcome
    instruction.py, naming.py, texts.py    the words of a step and of an element, and what is typed
    play.py          one step played: screens and facts
    mixture.py       how often which cause is drawn
    walk.py          from one state a right step and several wrong ones, each from a replay
    samples.py, folder.py, card.py, sheet.py    samples, on disk, counted, and as pictures
    selection.py     which applications, and whether they are installed
    worker.py, collect.py, processes.py    the command: workers, watched and resumable
    install.py       the applications of others, from PyPI and npm
    apps/            one file an application

A label follows from application state, network events and what the pointer hit; pixels only decide whether a truth
can be seen at all. A new application is a file in apps/ and an entry in `apps.APPLICATIONS`; a web application is
mostly a folder that is served, an address for each seed and an expression for what the page knows of itself.
"""
