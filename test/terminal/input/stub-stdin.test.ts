import {PassThrough} from 'node:stream';
import {render, Text, useInput} from 'ink';
import {createElement} from 'react';
import {expect, test} from 'vitest';
import {stubStdin} from '#terminal/input/stub-stdin.ts';

const heard: string[] = [];

function Listening() {
  useInput((input) => heard.push(input));
  return createElement(Text, null, 'ready');
}

test('stub stdin: Ink accepts it as a terminal and gets no input', async () => {
  const stdin = stubStdin();
  const stdout = Object.assign(new PassThrough(), {columns: 20, rows: 5, isTTY: true});
  // Ink's type is that of the process's own stream; it uses only these members.
  const app = render(createElement(Listening), {
    stdin,
    stdout: stdout as unknown as NodeJS.WriteStream,
    patchConsole: false,
  });
  await app.waitUntilRenderFlush();
  expect(stdin.isRaw).toBe(true);
  app.unmount();
  await app.waitUntilExit();
  expect(stdin.isRaw).toBe(false);
  expect(heard).toEqual([]);
});
