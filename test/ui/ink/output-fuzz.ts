import {styledCharsFromTokens, tokenize} from '@alcalzone/ansi-tokenize';
import fc from 'fast-check';
import {expect} from 'vitest';
import {EmulatedStdout} from './emulated-stdout.ts';
import {hostileText} from './hostile-text.ts';
import type {InkBuild, InkBuilds} from './ink-builds.ts';

export const columns = 40;
const rows = 8;

type Transformer = (line: string, index: number) => string;

const transformer: fc.Arbitrary<Transformer> = fc.oneof(
  fc.constant<Transformer>((line) => line.replaceAll('word', '言葉')),
  fc.constant<Transformer>((line, index) => `${index}${line}`),
  fc.array(hostileText, {minLength: 1, maxLength: 3}).map((lines): Transformer => {
    const flat = lines.flatMap((text) => text.split('\n'));
    return (_, index) => flat[index] ?? '';
  }),
);

const edge = (max: number) => fc.integer({min: -2, max: max + 2});
const clip = fc
  .tuple(edge(columns), edge(columns), edge(rows), edge(rows), fc.integer({min: 0, max: 3}))
  .map(([x1, x2, y1, y2, edges]) => ({
    x1: edges === 1 ? undefined : Math.min(x1, x2),
    x2: edges === 1 ? undefined : Math.max(x1, x2),
    y1: edges === 2 ? undefined : Math.min(y1, y2),
    y2: edges === 2 ? undefined : Math.max(y1, y2),
  }));

const write = fc.record({
  x: fc.integer({min: -4, max: columns}),
  y: fc.integer({min: -2, max: rows}),
  text: hostileText,
  transformers: fc.array(transformer, {maxLength: 1}),
  clips: fc.array(clip, {maxLength: 2}),
});

/** One call of `Output.write` within clips. */
type OutputWrite = typeof write extends fc.Arbitrary<infer T> ? T : never;

/** Sequences of frames that have some of their writes in common. */
export const frames: fc.Arbitrary<OutputWrite[][]> = fc
  .array(write, {minLength: 1, maxLength: 8})
  .chain((writes) => fc.array(fc.subarray(writes), {minLength: 2, maxLength: 10}));

const screen = {x1: 0, x2: columns, y1: 0, y2: rows};

/** Returns the output of a build for a frame, clipped to the screen or not. */
export function renderFrame({Output}: InkBuild, frame: readonly OutputWrite[], isWithin: boolean): string {
  const output = new Output({width: columns, height: rows});
  for (const {x, y, text, transformers, clips} of frame) {
    const allClips = isWithin ? [screen, ...clips] : clips;
    for (const each of allClips) output.clip(each);
    // Transformed lines are not clipped: only plain ones stay within the screen.
    output.write(x, y, text, {transformers: isWithin ? [] : transformers});
    for (const _ of allClips) output.unclip();
  }
  return output.get().output;
}

/** Returns the characters of a text with their styles, as far as they can be seen, however the styles were set. */
export function styledCharacters(output: string): string {
  const characters = styledCharsFromTokens(tokenize(output)).map(({value, styles}) => {
    const codes = styles.filter(({endCode}) => value !== ' ' || !/\[(?:22|23|39)m$/.test(endCode));
    return (
      value +
      codes
        .map(({code}) => code)
        .sort()
        .join('')
    );
  });
  return characters.join('|').replace(/[| ]+$/, '');
}

/** Writes the frames of each build to its own terminal and expects the same cells after each frame. */
export async function expectSameFrames(
  {stock, patched}: InkBuilds,
  shownFrames: readonly OutputWrite[][],
): Promise<void> {
  const screens = [stock, patched].map((build) => {
    const stdout = new EmulatedStdout(columns, rows);
    stdout.isTTY = build === stock;
    const options = {incremental: true, showCursor: true};
    return {build, stdout, log: build.logUpdate.create(writeStream(stdout), options)};
  });
  for (const [index, frame] of shownFrames.entries()) {
    // The position of a hidden cursor does not matter.
    const hasCursor = index % 3 === 1;
    const painted = await Promise.all(
      screens.map(({build, stdout, log}) => {
        if (hasCursor) log.setCursorPosition({x: index, y: index % rows});
        log(renderFrame(build, frame, true));
        return stdout.paintedRows(hasCursor);
      }),
    );
    expect(painted[1]).toEqual(painted[0]);
  }
  for (const {stdout} of screens) stdout.terminal.dispose();
}

/** Returns the stdout as the type that Ink expects; Ink uses no other members of it. */
export function writeStream(stdout: EmulatedStdout): NodeJS.WriteStream {
  return stdout as unknown as NodeJS.WriteStream;
}
