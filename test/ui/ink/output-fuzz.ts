import fc from 'fast-check';
import {expect} from 'vitest';
import {EmulatedStdout} from './emulated-stdout.ts';
import {hostileText} from './hostile-text.ts';
import type {InkBuild} from './ink-builds.ts';

export const [columns, rows] = [40, 8];

type Transformer = (line: string, index: number) => string;

const transformer: fc.Arbitrary<Transformer> = fc.oneof(
  fc.constant<Transformer>((line) => line.replaceAll('word', '言葉')),
  fc.constant<Transformer>((line, index) => `${index}${line}`),
  fc.array(hostileText, {minLength: 1, maxLength: 3}).map((lines): Transformer => {
    const flat = lines.flatMap((text) => text.split('\n'));
    return (_, index) => flat[index] ?? '';
  }),
);

const edge = (most: number) => fc.integer({min: -2, max: most + 2});
const clip = fc
  .tuple(edge(columns), edge(columns), edge(rows), edge(rows), fc.integer({min: 0, max: 3}))
  .map(([x1, x2, y1, y2, edges]) => ({
    x1: edges === 1 ? undefined : Math.min(x1, x2),
    x2: edges === 1 ? undefined : Math.max(x1, x2),
    y1: edges === 2 ? undefined : Math.min(y1, y2),
    y2: edges === 2 ? undefined : Math.max(y1, y2),
  }));

const item = fc.record({
  x: fc.integer({min: -4, max: columns}),
  y: fc.integer({min: -2, max: rows}),
  text: hostileText,
  transformers: fc.array(transformer, {maxLength: 1}),
  clips: fc.array(clip, {maxLength: 2}),
});

export type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;

/** Frames that have some of their parts in common, as frames have. */
export const frames: fc.Arbitrary<Item[][]> = fc
  .array(item, {minLength: 1, maxLength: 8})
  .chain((items) => fc.array(fc.subarray(items), {minLength: 2, maxLength: 10}));

const screen = {x1: 0, x2: columns, y1: 0, y2: rows};

/** What a stage makes of a frame, kept within the screen or not. */
export function renderFrame({Output}: InkBuild, frame: readonly Item[], isWithin: boolean): string {
  const output = new Output({width: columns, height: rows});
  for (const {x, y, text, transformers, clips} of frame) {
    const all = isWithin ? [screen, ...clips] : clips;
    for (const each of all) output.clip(each);
    // A transformed line is not clipped: only a plain one stays within the screen.
    output.write(x, y, text, {transformers: isWithin ? [] : transformers});
    for (const _ of all) output.unclip();
  }
  return output.get().output;
}

/** The cursor is put where it belongs behind characters of doubtful width, and what they leave at the end is erased. */
export function withoutSteering(output: string): string {
  return output.replaceAll(/\u001b\[(?:\d+G|K)/g, '');
}

/** Shows the frames one after the other on a terminal each, and compares every cell after every frame. */
export async function expectSameFrames(
  {stock, swapped}: {stock: InkBuild; swapped: InkBuild},
  shown: readonly Item[][],
): Promise<void> {
  const glasses = [stock, swapped].map((stage) => {
    const glass = new EmulatedStdout(columns, rows);
    return {stage, glass, log: stage.logUpdate.create(stream(glass), {incremental: true, showCursor: true})};
  });
  for (const [index, frame] of shown.entries()) {
    // Where nobody sees it, the cursor may rest anywhere.
    const hasCursor = index % 3 === 1;
    const pictures = await Promise.all(
      glasses.map(({stage, glass, log}) => {
        if (hasCursor) log.setCursorPosition({x: index, y: index % rows});
        log(renderFrame(stage, frame, true));
        return glass.paintedRows(hasCursor);
      }),
    );
    expect(pictures[1]).toEqual(pictures[0]);
  }
  for (const {glass} of glasses) glass.terminal.dispose();
}

/** Ink asks no more of a stream than a glass has. */
export function stream(glass: EmulatedStdout): NodeJS.WriteStream {
  return glass as unknown as NodeJS.WriteStream;
}
