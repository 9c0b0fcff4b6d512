import {describe, expect, test} from 'vitest';
import {
  type Capabilities,
  capabilitiesAfter,
  cellSizeOf,
  initialCapabilities,
  keyboardProtocol,
  withOuterProgram,
} from '#terminal/capabilities.ts';
import type {TerminalEnvironment} from '#terminal/environment.ts';
import type {TerminalReply} from '#terminal/input/input-events.ts';
import {probeSequence, TerminalProbe} from '#terminal/probe.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {allEnvironments, dumb, environmentOf, kitty, linux, screen, serial, tmux, xterm} from './environments.ts';

function known(replies: readonly TerminalReply[], environment: TerminalEnvironment = xterm): Capabilities {
  return replies.reduce(
    (capabilities, reply) => capabilitiesAfter(capabilities, {kind: 'reply', reply}, environment),
    initialCapabilities(environment),
  );
}

function paste(state: number): TerminalReply {
  return {type: 'mode', mode: 2004, state};
}

const white = {red: 255, green: 255, blue: 255};
const black = {red: 0, green: 0, blue: 0};

describe('queries', () => {
  test('are sent in one write, with the one that every terminal answers last, and leave nothing on the screen', () => {
    const text = probeSequence(xterm);
    for (const question of ['?u', '?4m', '?996n', '?2026$p', '?2004$p', '8$p', '>q', '6n'])
      expect(text).toContain(`\u001b[${question}`);
    expect(text).toContain('\u001b]11;?\u001b\\');
    expect(text).toContain('\u001bP+q436f\u001b\\');
    expect(text).toContain('\u001b]99;i=p:p=?;\u001b\\');
    expect(text).toMatch(/^\u001b\[8m.*\u001b\[c\u001b\[2K\r\u001b\[0m\u001b\[H$/);
  });

  test('about images are sent last, and not to multiplexers, which would show them as a title', () => {
    const graphics = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\';
    expect(probeSequence(xterm)).toMatch(
      /\u001b\[16t\u001b\[\?2;1;0S\u001b\[14t\u001b\]1337;ReportCellSize\u001b\\\u001b_G/,
    );
    expect(probeSequence(xterm)).toContain(`${graphics}\u001b[c`);
    for (const environment of [tmux, screen]) expect(probeSequence(environment)).not.toContain('\u001b_');
  });

  test.each([linux, serial, dumb])('are not sent where they would be printed ($term)', (environment) => {
    expect(probeSequence(environment)).toBe('');
  });

  test.each(allEnvironments)('never read the clipboard (%s)', (_name, environment) => {
    expect(probeSequence(environment)).not.toContain(']52');
  });
});

describe('replies', () => {
  test('about keys select the best protocol', () => {
    const chosen = (replies: readonly TerminalReply[], environment = xterm) =>
      keyboardProtocol(known(replies, environment));
    const old: TerminalReply = {type: 'modify_other_keys', level: 0};
    expect(chosen([])).toBe('legacy');
    expect(chosen([old])).toBe('modify_other_keys');
    expect(chosen([old, {type: 'kitty_flags', flags: 0}])).toBe('kitty');
    expect(chosen([], tmux)).toBe('modify_other_keys');
  });

  test('about the order of right-to-left text say whether it can be switched off', () => {
    const bidi = (...replies: TerminalReply[]) => known(replies).bidi;
    const vte: TerminalReply = {type: 'version', text: 'VTE(7200)'};
    const order = (state: number): TerminalReply => ({type: 'ansi_mode', mode: 8, state});
    expect(bidi()).toBe('none');
    expect(bidi(vte)).toBe('own');
    expect(bidi(order(1), vte)).toBe('switchable');
    expect(bidi(vte, order(2))).toBe('switchable');
    expect(bidi(vte, order(0))).toBe('own');
    expect(bidi(order(3))).toBe('own');
    expect(bidi(vte, order(4))).toBe('none');
    expect(bidi({type: 'ansi_mode', mode: 4, state: 2})).toBe('none');
    const kitty: TerminalReply = {type: 'version', text: 'kitty(0.26.5)'};
    expect(bidi(kitty, order(0))).toBe('words');
    expect(bidi(kitty, order(2))).toBe('switchable');
    expect(withOuterProgram(known([], tmux), {name: 'kitty', version: '0.26.5'}).bidi).toBe('words');
    expect(withOuterProgram(known([], tmux), {name: 'konsole', version: '22.12.3'}).bidi).toBe('own');
  });

  test('about the cursor say how many columns characters take, all together with the last reply', () => {
    const answers: readonly TerminalReply[] = [
      {type: 'cursor', row: 3, column: 5},
      {type: 'cursor', row: 4, column: 7},
      {type: 'cursor', row: 5, column: 2},
      {type: 'cursor', row: 6, column: 40},
    ];
    expect(known(answers).clusterWidths).toEqual({});
    const last: TerminalReply = {type: 'attributes', codes: [62]};
    expect(known([...answers, last]).clusterWidths).toEqual({tone: 4, joined: 6, variation: 1});
    expect(known([last]).clusterWidths).toEqual({});
  });

  test('about images: only an OK means that there are graphics', () => {
    const graphics = (text: string) => known([{type: 'graphics', text}]).kittyGraphics;
    expect(known([]).kittyGraphics).toBe(false);
    expect(graphics('i=31;OK')).toBe(true);
    expect(graphics('i=31;ENOTSUP:no graphics')).toBe(false);
  });

  test('about sizes give the cell: its own, or the area divided by the grid', () => {
    const size = (of: 'cell' | 'area' | 'iterm_cell', width: number, height: number): TerminalReply => {
      return {type: 'size', of, width, height};
    };
    const cell = (...replies: TerminalReply[]) => cellSizeOf(known(replies), {columns: 80, rows: 24});
    expect(cell()).toBeUndefined();
    expect(cell(size('cell', 9, 18))).toEqual({width: 9, height: 18});
    expect(cell(size('area', 805, 480))).toEqual({width: 10, height: 20});
    expect(cell(size('cell', 9, 18), size('area', 800, 480))).toEqual({width: 9, height: 18});
    expect(cell(size('area', 1000, 456))).toEqual({width: 9, height: 19});
    expect(cell(size('cell', 0, 0))).toBeUndefined();
    expect(cell(size('cell', 99_999, 20))).toBeUndefined();
    expect(cell(size('area', 0, 0))).toBeUndefined();
    expect(cell(size('cell', 9, 18), size('iterm_cell', 16, 34))).toEqual({width: 9, height: 18});
    expect(known([size('iterm_cell', 16, 34)])).toMatchObject({itermImages: true, cellSize: {width: 16, height: 34}});
    expect(known([size('cell', 9, 18)]).itermImages).toBe(false);
  });

  test('about the number of colours count when there are at least 256', () => {
    expect(known([]).indexedColor).toBe(false);
    expect(known([{type: 'color_count', count: 256}]).indexedColor).toBe(true);
    expect(known([{type: 'color_count', count: 8}]).indexedColor).toBe(false);
  });

  test('about colours distinguish dark from light, and only the background counts', () => {
    expect(known([]).background).toBeUndefined();
    expect(known([{type: 'color', slot: 11, color: black}]).background).toBe('dark');
    expect(known([{type: 'color', slot: 11, color: white}]).background).toBe('light');
    expect(known([{type: 'color', slot: 11, color: {red: 253, green: 246, blue: 227}}]).background).toBe('light');
    expect(known([{type: 'color', slot: 10, color: white}]).background).toBeUndefined();
  });

  test('of tmux with white are ignored', () => {
    expect(known([{type: 'color', slot: 11, color: white}], tmux).background).toBeUndefined();
    expect(known([{type: 'color', slot: 11, color: {...white, blue: 240}}], tmux).background).toBe('light');
  });

  test('about the colour scheme win when they come later', () => {
    const replies: TerminalReply[] = [
      {type: 'color', slot: 11, color: black},
      {type: 'color_scheme', scheme: 'light'},
    ];
    expect(known(replies).background).toBe('light');
  });

  test.each([
    [0, false],
    [1, true],
    [2, true],
    [4, false],
  ])('about synchronized output: state %i is %s', (state, isKnown) => {
    expect(known([]).synchronizedOutput).toBeUndefined();
    expect(known([{type: 'mode', mode: 2026, state}]).synchronizedOutput).toBe(isKnown);
  });

  test('with a name add the program’s known features', () => {
    const {program, terminalName, hyperlinks, osc52, trueColor, notifications} = known([
      {type: 'version', text: 'kitty(0.31.0)'},
    ]);
    expect({program, terminalName}).toEqual({
      program: {name: 'kitty', version: '0.31.0'},
      terminalName: 'kitty(0.31.0)',
    });
    expect({hyperlinks, osc52, trueColor, notifications}).toEqual({
      hyperlinks: true,
      osc52: true,
      trueColor: true,
      notifications: 'kitty',
    });
  });

  test('with an unknown name leave the features from the environment', () => {
    const {program, terminalName, hyperlinks} = known([{type: 'version', text: 'Wibble 1'}], kitty);
    expect([program?.name, terminalName, hyperlinks]).toEqual(['kitty', 'Wibble 1', true]);
  });

  test('about notifications win over the name', () => {
    const asked: TerminalReply = {type: 'notifications', text: 'i=p:p=?;a=report'};
    expect(known([asked]).notifications).toBe('kitty');
    expect(known([asked, {type: 'version', text: 'foot(1.18.0)'}]).notifications).toBe('kitty');
    expect(known([{type: 'version', text: 'foot(1.10.0)'}]).notifications).toBe('urxvt');
  });

  test('of mosh are its attributes without a name: no features of the terminal that the variables name', () => {
    const iterm = environmentOf({LC_TERMINAL: 'iTerm2', SSH_TTY: '/dev/pts/1'});
    expect(known([], iterm).hyperlinks).toBe(true);
    const {program, hyperlinks, notifications} = known([{type: 'attributes', codes: [62]}], iterm);
    expect([program?.name, hyperlinks, notifications]).toEqual(['mosh', false, 'bell']);
    const named = known(
      [
        {type: 'version', text: 'foot(1.16)'},
        {type: 'attributes', codes: [62]},
      ],
      iterm,
    );
    expect([named.program?.name, named.hyperlinks]).toEqual(['foot', true]);
  });

  test('with the name tmux correct a TERM that looks like GNU screen', () => {
    const guess = environmentOf({TERM: 'screen-256color', SSH_TTY: '/dev/pts/1'});
    const corrected = known([{type: 'version', text: 'tmux 3.4'}], guess);
    expect([known([], guess).hyperlinks, corrected.hyperlinks]).toEqual([false, true]);
    expect([keyboardProtocol(known([], guess)), keyboardProtocol(corrected)]).toEqual(['legacy', 'modify_other_keys']);
  });

  test('about the cursor tell whether é is one character; other positions are ignored', () => {
    expect(known([{type: 'cursor', row: 2, column: 2}], environmentOf({LANG: 'x.ISO-8859-1'})).isUtf8).toBe(true);
    expect(known([{type: 'cursor', row: 2, column: 3}]).isUtf8).toBe(false);
    expect(known([{type: 'cursor', row: 1, column: 3}]).isUtf8).toBe(true);
    expect(known([{type: 'cursor', row: 2, column: 30}]).isUtf8).toBe(true);
  });

  test.each([
    ['not before it replied', [], xterm, undefined],
    ['once it replied', [{type: 'attributes', codes: [62]}], xterm, true],
    ['in tmux, which does not report modes', [{type: 'attributes', codes: [1, 2, 4]}], tmux, true],
    ['not in GNU screen', [{type: 'attributes', codes: [83, 0]}], environmentOf({TERM: 'screen'}), false],
    ['not if it reports the mode as unknown', [paste(0), {type: 'attributes', codes: [62]}], xterm, false],
    [
      'if GNU screen reports the mode',
      [paste(1), {type: 'attributes', codes: [83]}],
      environmentOf({STY: '1.a'}),
      true,
    ],
  ] as const)('tell whether pastes have brackets: %s', (_, replies, environment, expected) => {
    expect(known(replies, environment).bracketedPaste).toBe(expected);
  });

  test('a paste with brackets shows that pastes have them', () => {
    expect(initialCapabilities(linux).bracketedPaste).toBe(undefined);
    const pasted = capabilitiesAfter(initialCapabilities(linux), {kind: 'paste', text: 'a'}, linux);
    expect(pasted.bracketedPaste).toBe(true);
  });

  test('with attributes end the queries', () => {
    const {sixel, osc52, isSettled} = known([{type: 'attributes', codes: [62, 4, 22, 52]}]);
    expect({sixel, osc52, isSettled}).toEqual({sixel: true, osc52: true, isSettled: true});
    const less = known([{type: 'attributes', codes: [4]}]);
    expect([less.sixel, less.osc52, less.isSettled]).toEqual([false, undefined, true]);
  });

  test('without news change nothing, and neither do keys', () => {
    const replies: TerminalReply[] = [
      {type: 'kitty_flags', flags: 1},
      {type: 'color', slot: 11, color: black},
      {type: 'version', text: 'foot(1.2)'},
      {type: 'mode', mode: 2026, state: 2},
      {type: 'cursor', row: 2, column: 2},
      {type: 'attributes', codes: [62, 52]},
    ];
    const all = known(replies);
    for (const reply of replies) expect(capabilitiesAfter(all, {kind: 'reply', reply}, xterm)).toBe(all);
    expect(capabilitiesAfter(all, {kind: 'key', key: {name: 'j'}}, xterm)).toBe(all);
  });

  test('a first focus event shows that focus events are supported', () => {
    const before = initialCapabilities(xterm);
    expect(before.focusEvents).toBe(false);
    expect(capabilitiesAfter(before, {kind: 'focus', gained: false}, xterm).focusEvents).toBe(true);
  });
});

test('probe: inside tmux, notifications use the terminal around it', () => {
  const inside = initialCapabilities(tmux);
  expect(inside.notifications).toBe('bell');
  const kittyOutside = {name: 'kitty', version: ''} as const;
  expect(withOuterProgram(inside, kittyOutside, true)).toMatchObject({
    notifications: 'kitty',
    outer: kittyOutside,
    tmuxPassthrough: true,
  });
});

test('probe: the console and old devices have no features that need strings', () => {
  for (const environment of [linux, serial]) {
    const {hyperlinks, notifications, osc52} = initialCapabilities(environment);
    expect([hyperlinks, notifications, osc52]).toEqual([false, 'bell', false]);
  }
});

describe('querying', () => {
  function asked(environment: TerminalEnvironment) {
    const clock = new ManualClock();
    const reported: Capabilities[] = [];
    const watch = new TerminalProbe({environment, clock, onChange: (news) => reported.push(news)});
    return {clock, reported, watch, question: watch.startQuery()};
  }

  test('ends with the last reply', () => {
    const {clock, reported, watch} = asked(xterm);
    watch.handleEvent({kind: 'reply', reply: {type: 'kitty_flags', flags: 0}});
    expect(watch.capabilities.isSettled).toBe(false);
    watch.handleEvent({kind: 'reply', reply: {type: 'attributes', codes: [62]}});
    expect(watch.capabilities.isSettled).toBe(true);
    clock.advance(1000);
    expect(reported.map(({isSettled}) => isSettled)).toEqual([false, true]);
  });

  test('ends after a timeout without replies, and late ones still count', () => {
    const {clock, watch} = asked(xterm);
    clock.advance(299);
    expect(watch.capabilities.isSettled).toBe(false);
    clock.advance(1);
    expect(watch.capabilities.isSettled).toBe(true);
    watch.handleEvent({kind: 'reply', reply: {type: 'version', text: 'foot(1.16)'}});
    expect(watch.capabilities.hyperlinks).toBe(true);
  });

  test('ends at once where nothing is sent', () => {
    const {question, watch} = asked(linux);
    expect([question, watch.capabilities.isSettled]).toEqual(['', true]);
  });

  test('reports the keyboard protocol once, and again after another query', () => {
    const clock = new ManualClock();
    const protocols: string[] = [];
    const onKeyboard = (protocol: string) => protocols.push(protocol);
    const watch = new TerminalProbe({environment: xterm, clock, onChange: () => {}, onKeyboard});
    const answer = () => {
      watch.startQuery();
      watch.handleEvent({kind: 'reply', reply: {type: 'kitty_flags', flags: 0}});
      watch.handleEvent({kind: 'focus', gained: true});
      expect(protocols).toHaveLength(0);
      watch.handleEvent({kind: 'reply', reply: {type: 'attributes', codes: [62]}});
      watch.handleEvent({kind: 'reply', reply: {type: 'color_scheme', scheme: 'dark'}});
      watch.handleEvent({kind: 'reply', reply: {type: 'color_scheme', scheme: 'light'}});
      return protocols.splice(0);
    };
    expect([answer(), answer()]).toEqual([['kitty'], ['kitty']]);
  });

  test('again, what is known stays until the terminal has replied, and then only its new replies count', () => {
    const {clock, reported, watch} = asked(xterm);
    const reply = (...replies: TerminalReply[]) => {
      for (const each of replies) watch.handleEvent({kind: 'reply', reply: each});
    };
    const last: TerminalReply = {type: 'attributes', codes: [64]};
    reply({type: 'kitty_flags', flags: 0}, {type: 'color', slot: 11, color: white}, last);
    const before = watch.capabilities;
    watch.startQuery();
    watch.startQuery();
    reported.length = 0;
    reply({type: 'color', slot: 11, color: black}, last);
    expect([reported, watch.capabilities.background]).toEqual([[], 'light']);
    reply({type: 'color', slot: 11, color: black}, last);
    expect(reported).toHaveLength(1);
    expect(watch.capabilities).toEqual({...before, kittyKeyboard: false, background: 'dark'});
    watch.startQuery();
    clock.advance(300);
    expect(watch.capabilities).toEqual({...before, kittyKeyboard: false, background: 'dark'});
  });

  test('uses a better keyboard protocol that is reported late', () => {
    const clock = new ManualClock();
    const protocols: string[] = [];
    const onKeyboard = (protocol: string) => protocols.push(protocol);
    const watch = new TerminalProbe({environment: tmux, clock, onChange: () => {}, onKeyboard});
    watch.startQuery();
    clock.advance(300);
    watch.handleEvent({kind: 'reply', reply: {type: 'kitty_flags', flags: 0}});
    expect(protocols).toEqual(['modify_other_keys', 'kitty']);
  });

  test('leaves no timer behind', () => {
    const {clock, reported, watch} = asked(xterm);
    watch.stop();
    clock.advance(1000);
    expect(reported).toEqual([]);
  });
});
