import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {pngFile} from '#test/support/images/image-files.ts';
import {KittyTerminal, placeholdersOf, testPicture} from '#test/support/images/terminal-images.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';
import {tides, twoUserFixture} from './two-user-fixture.ts';

slowTest(
  'images: tmux with pass-through in a terminal like kitty shows them, and removes them at the end',
  async () => {
    if (spawnSync('tmux', ['-V']).error !== undefined) return;
    const {server, meg, otto, sendToTopic} = await twoUserFixture();
    const png = new Uint8Array(pngFile(testPicture(160, 60)));
    const {body} = await server.as(otto).upload('/user_uploads', 'chart.png', png, 'image/png');
    await sendToTopic(otto, 'tides', `Look: [chart.png](${Reflect.get(Object(body), 'url')})`);
    const home = scratchDirectory();
    const signIn = {site: server.url, email: meg.email, apiKey: meg.apiKey};
    const {file, args, env, cwd} = parleyCommand({home, args: [tides], signIn});
    const [socket, config] = [join(home, 'tmux'), join(home, 'tmux.conf')];
    writeFileSync(config, 'set -g allow-passthrough on\nset -g status off\n');
    onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
    const command = [file, ...args].map((word) => `'${word}'`).join(' ');
    const terminal = openTerminal('tmux', ['-f', config, '-S', socket, 'new-session', command], {
      env: {...env, TERM: 'xterm-256color'},
      cwd,
      size: {cols: 80, rows: 24},
    });
    await terminal.waitUntil(() => terminal.transcript().includes('\u{10eeee}'), 'placeholders');
    const kitty = new KittyTerminal();
    kitty.write(terminal.transcript());
    const [id = 0] = kitty.images.keys();
    // How many depends on whether this tmux reports the size of cells.
    expect(kitty.virtual.get(id)?.rows).toBeGreaterThan(2);
    // tmux writes the marks of a cell one by one, and the whole cell last.
    const [, color = '', cell = ''] =
      /(\u001b\[38;5;\d+m)[^m]*?(\u{10eeee}\p{M}{3})/u.exec(terminal.transcript()) ?? [];
    expect(placeholdersOf(color + cell)).toEqual([{id: id >>> 0, row: 0, column: 0}]);
    terminal.keys('Ctrl-C', 'Ctrl-C');
    await terminal.waitForExit();
    const left = new KittyTerminal();
    left.write(terminal.transcript());
    expect(left.images.size).toBe(0);
  },
);
