import {expect, test} from 'vitest';
import {chooseProtocol, type ImageSetting} from '#terminal/images/image-protocol.ts';
import {programFromName} from '#terminal/terminal-program.ts';
import {environmentOf, kitty, linux, screen, serial, ssh, tmux, xterm} from '#test/terminal/environments.ts';

interface Case {
  readonly name?: string;
  readonly environment?: typeof xterm;
  readonly kittyGraphics?: true;
  readonly itermImages?: true;
  readonly sixel?: true;
  readonly outer?: string;
  readonly tmuxPassthrough?: true;
  readonly cellSize?: undefined;
  readonly isUtf8?: false;
  readonly hasColors?: boolean;
  readonly setting?: ImageSetting;
}

function choose({name, environment = xterm, outer, setting = 'auto', hasColors = true, ...fields}: Case) {
  const program = name === undefined ? environment.program : (programFromName(name) ?? environment.program);
  const known = {
    program: name === 'mosh' ? {name: 'mosh' as const, version: ''} : program,
    terminalName: name === 'mosh' ? undefined : name,
    kittyGraphics: false,
    itermImages: false,
    sixel: false,
    isUtf8: true,
    tmuxPassthrough: false,
    cellSize: {width: 8, height: 16},
    areaSize: undefined,
    outer: outer === undefined ? undefined : programFromName(outer),
    ...fields,
  };
  return chooseProtocol(known, environment, setting, hasColors);
}

const noColors = environmentOf({TERM: 'xterm'});

test.each<[string, Case, string, RegExp]>([
  [
    'kitty',
    {name: 'kitty(0.31.0)', kittyGraphics: true},
    'kitty-placeholders',
    /^kitty\(0\.31\.0\) answered the query/,
  ],
  ['an old kitty', {name: 'kitty(0.26.5)', kittyGraphics: true}, 'kitty', /answered the query/],
  ['the first kitty with placeholders', {name: 'kitty(0.28.0)', kittyGraphics: true}, 'kitty-placeholders', /answered/],
  ['Ghostty', {name: 'ghostty 1.1.0', kittyGraphics: true}, 'kitty-placeholders', /answered the query/],
  ['Konsole', {name: 'Konsole 24.02', kittyGraphics: true, sixel: true}, 'kitty', /answered the query/],
  ['kitty by its variable only', {environment: kitty}, 'half-blocks', /kitty reports no graphics/],
  ['iTerm2', {name: 'iTerm2 3.5.0', sixel: true}, 'iterm2', /inline images/],
  ['WezTerm', {name: 'WezTerm 20240203', itermImages: true, sixel: true}, 'iterm2', /inline images/],
  ['foot', {name: 'foot(1.16.2)', sixel: true}, 'sixel', /^foot\(1\.16\.2\) reports sixel/],
  ['an unknown terminal with sixel', {sixel: true}, 'sixel', /^the terminal reports sixel/],
  [
    'sixel without the size of cells',
    {sixel: true, cellSize: undefined},
    'half-blocks',
    /but not the size of its cells$/,
  ],
  ['a terminal that answers nothing', {}, 'half-blocks', /^the terminal reports no graphics$/],
  ['over ssh', {environment: ssh}, 'half-blocks', /reports no graphics/],
  ['without UTF-8', {isUtf8: false}, 'none', /reports no graphics, and the terminal does not show UTF-8/],
  ['without UTF-8 but with sixel', {isUtf8: false, sixel: true}, 'sixel', /sixel/],
  ['with 16 colours', {environment: noColors, hasColors: false}, 'none', /fewer than 256 colours/],
  ['mosh', {name: 'mosh', sixel: true}, 'none', /^mosh does not pass images on$/],
  ['the Linux console', {environment: linux}, 'none', /^a terminal with TERM=linux shows no images$/],
  ['a serial terminal', {environment: serial}, 'none', /TERM=vt220/],
  ['GNU screen', {environment: screen}, 'half-blocks', /^screen reports no graphics$/],
  ['tmux', {environment: tmux, sixel: true}, 'half-blocks', /^tmux, in a terminal that is not known to show images/],
  [
    'tmux in kitty, with pass-through',
    {environment: tmux, outer: 'kitty(0.31.0)', tmuxPassthrough: true},
    'kitty-placeholders',
    /^tmux passes images on to kitty 0\.31\.0$/,
  ],
  [
    'tmux in kitty, without pass-through',
    {environment: tmux, outer: 'kitty(0.31.0)'},
    'half-blocks',
    /^tmux does not pass images on to kitty 0\.31\.0 while allow-passthrough is off$/,
  ],
  [
    'tmux in an old kitty',
    {environment: tmux, outer: 'kitty(0.26.5)', tmuxPassthrough: true},
    'half-blocks',
    /not known/,
  ],
  ['off', {name: 'kitty(0.31.0)', kittyGraphics: true, setting: 'off'}, 'none', /“images” is “off”/],
  ['kitty by setting', {setting: 'kitty'}, 'kitty', /“images” is “kitty”/],
  ['kitty by setting, in kitty', {name: 'kitty(0.31.0)', setting: 'kitty'}, 'kitty-placeholders', /setting/],
  ['kitty by setting, in tmux', {environment: tmux, setting: 'kitty'}, 'kitty-placeholders', /setting/],
  ['sixel by setting', {name: 'kitty(0.31.0)', kittyGraphics: true, setting: 'sixel'}, 'sixel', /setting/],
  ['half blocks by setting, on the Linux console', {environment: linux, setting: 'half-blocks'}, 'none', /TERM=linux/],
])('the protocol of images: %s', (_, of, protocol, reason) => {
  const chosen = choose(of);
  expect(chosen.protocol).toBe(protocol);
  expect(chosen.reason).toMatch(reason);
  expect(chosen.inTmux).toBe(protocol === 'kitty-placeholders' && of.environment === tmux);
});
