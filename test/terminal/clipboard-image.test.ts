import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {clipboardImage} from '#terminal/clipboard-image.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/** Returns a PATH with programs that run these shell scripts. */
function pathWith(programs: Readonly<Record<string, string>>): string {
  const directory = scratchDirectory();
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

const mebibyte = 1024 * 1024;

test('clipboard image: the bytes of the image come from wl-paste or else from xclip', async () => {
  const xclip = '[ "$4" = image/png ] && printf "\\211PNG\\000x"';
  const PATH = pathWith({'wl-paste': 'exit 1', xclip});
  const env = {PATH, WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'};
  expect(await clipboardImage(env, 'linux', mebibyte)).toEqual({
    kind: 'image',
    bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0x78]),
  });
});

test.each([
  ['no display', {}, {}, 'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.'],
  ['no program', {WAYLAND_DISPLAY: 'w', DISPLAY: ':0'}, {}, /install wl-paste or xclip\.$/],
  ['text only', {DISPLAY: ':0'}, {xclip: 'exit 1'}, 'The clipboard contains no image.'],
  ['nothing', {DISPLAY: ':0'}, {xclip: 'exit 0'}, 'The clipboard contains no image.'],
  ['too large', {DISPLAY: ':0'}, {xclip: 'while :; do echo 0123456789; done'}, /is larger than 1 MiB\.$/],
] as const)('clipboard image: a sentence says why there is none: %s', async (_name, env, programs, problem) => {
  const found = await clipboardImage({...env, PATH: pathWith(programs)}, 'linux', mebibyte);
  expect(found).toEqual({
    kind: 'none',
    problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  });
});
