import {expect, test} from 'vitest';
import {pngFile} from '#test/support/images/image-files.ts';
import {KittyTerminal, testPicture} from '#test/support/images/terminal-images.ts';
import {linuxConsole, modern} from '#test/support/terminal/terminal-profile.ts';
import {slowTest} from '#test/support/tier.ts';
import {hasOpenSsh, openScreen, sshFixture} from './ssh-fixture.ts';

const tides = "'#harbour>tides'";

test.skipIf(!hasOpenSsh)(
  'terminal over SSH: mouse, copying, pasting and a new size work with the client of OpenSSH, and the end restores all modes',
  async () => {
    const {server, otto, megKey, openSsh} = await sshFixture();
    const queue = await server.as(otto).listen({event_types: ['message']});
    const terminal = openSsh(megKey, ['-t', '127.0.0.1', tides]);
    const {lines} = await terminal.waitFor('The spring tide is at four');
    // A pane that is read from the first frame may still move.
    await terminal.waitFor('●');
    terminal.keys('C');
    await terminal.waitUntil(({clipboard}) => clipboard.length > 0, 'the text on the clipboard');
    expect(terminal.clipboard.at(-1)).toContain('The spring tide is at four.');
    terminal.keys('Alt-m');
    await terminal.waitUntil(({modes}) => modes.mouse === 'drags', 'reports of the mouse');
    const y = lines.findIndex((line) => /^.{0,3}Inbox/.test(line)) + 1;
    terminal.write(`\u001b[<0;5;${y}M\u001b[<0;5;${y}m`);
    await terminal.waitFor('Nothing unread.');
    terminal.keys('Alt-Left');
    await terminal.waitFor('The spring tide is at four');
    terminal.keys('r');
    await terminal.waitFor('Write here');
    terminal.paste('High water\nat nine.');
    await terminal.waitFor('at nine.');
    expect(terminal.screen().text).toContain('High water');
    terminal.keys('Enter');
    expect(await queue.next()).toMatchObject([{message: {content: expect.stringMatching(/High water\n.*at nine/)}}]);
    terminal.keys('Esc', ';');
    await terminal.waitFor('Commands');
    terminal.type('alert words');
    await terminal.waitFor('▌Alert words');
    terminal.keys('Enter');
    await terminal.waitFor('Add words…');
    terminal.keys('Ctrl-A');
    await terminal.waitFor('Several words or phrases');
    terminal.type('lantern');
    await terminal.waitFor('lantern');
    terminal.resize(50, 18);
    await terminal.waitUntil(
      (one) => one.screen().lines.length === 18 && /lantern[\s\S]*\n─ \^D save/.test(one.screen().text),
      'the form at the new size',
    );
    terminal.keys('Ctrl-D');
    await terminal.waitFor('Added the alert word');
    terminal.keys('Esc', 'Ctrl-C', 'Ctrl-C');
    expect((await terminal.waitForExit()).code).toBe(0);
    expect(terminal.modes.leftBehind()).toEqual([]);
  },
);

slowTest(
  'terminal over SSH: images are drawn as the terminal of the client can, and are a name with a link where it cannot',
  async () => {
    const {server, otto, megKey, connect} = await sshFixture();
    const png = new Uint8Array(pngFile(testPicture(160, 60)));
    const {body} = await server.as(otto).upload('/user_uploads', 'chart.png', png, 'image/png');
    const content = `Look: [chart.png](${Reflect.get(Object(body), 'url')})`;
    await server.as(otto).post('/messages', {type: 'stream', to: 'harbour', topic: 'tides', content});
    const client = await connect(megKey);
    const {terminal: kitty} = await openScreen(client, tides, {hasGraphics: true});
    await kitty.waitFor('chart.png');
    await expect.poll(() => kitty.transcript()).toContain('\u{10eeee}');
    const shown = new KittyTerminal();
    shown.write(kitty.transcript().replace(/\u001b_Gi=31.*?\u001b\\/, ''));
    expect(shown.images.size).toBe(1);
    const persona = {...modern, attributes: '62;4;22;52', version: 'foot(1.20.2)'};
    const {terminal: sixel} = await openScreen(client, tides, {persona});
    await expect.poll(() => sixel.transcript()).toMatch(/\u001bP[\d;]*q"/);
    const {terminal: plain} = await openScreen(client, tides, {persona: {...linuxConsole, env: {}}});
    await plain.waitFor(/Look: .*chart\.png/);
    expect(plain.transcript()).not.toMatch(/\u{10eeee}|\u001bP[\d;]*q"|▀/u);
  },
);
