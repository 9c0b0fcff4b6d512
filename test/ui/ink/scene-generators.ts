import fc from 'fast-check';
import type {BoxProps} from 'ink';
import stringWidth from 'string-width';
import {hostileLine, hostileText} from './hostile-text.ts';
import type {SceneNode} from './Scene.tsx';

/** The size of all scenes. */
export const sceneSize = {columns: 60, rows: 12};

function paneLines(width: number, height: number): fc.Arbitrary<string[]> {
  // No line may be wider than its pane.
  return fc.array(
    hostileLine.map((line) => (stringWidth(line) <= width ? line : '…')),
    {maxLength: height},
  );
}

const pane: fc.Arbitrary<SceneNode> = fc
  .tuple(fc.integer({min: 1, max: sceneSize.columns}), fc.integer({min: 1, max: sceneSize.rows}))
  .chain(([width, height]) =>
    paneLines(width, height).map((lines): SceneNode => ({kind: 'lines', width, height, lines})),
  );

const overlay: fc.Arbitrary<SceneNode> = fc
  .record({
    left: fc.integer({min: 0, max: 30}),
    top: fc.integer({min: 0, max: 8}),
    width: fc.integer({min: 1, max: 30}),
    height: fc.integer({min: 1, max: 4}),
  })
  .chain((rect) =>
    paneLines(rect.width, rect.height).map(
      (lines): SceneNode => ({
        kind: 'overlay',
        ...rect,
        child: {kind: 'lines', width: rect.width, height: rect.height, lines},
      }),
    ),
  );

const text: fc.Arbitrary<SceneNode> = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    text: hostileText,
    color: fc.constantFrom('red', '#123456', 'ansi256(99)'),
    isBold: fc.boolean(),
  }),
  fc.record({kind: fc.constant('uppercase' as const), text: fc.constantFrom('one', 'two\nlines')}),
);

const boxProps: fc.Arbitrary<BoxProps> = fc.record(
  {
    flexDirection: fc.constantFrom('row', 'column'),
    width: fc.integer({min: 3, max: 50}),
    height: fc.integer({min: 3, max: 10}),
    overflow: fc.constantFrom('hidden', 'visible'),
    borderStyle: fc.constantFrom('single', 'round'),
    backgroundColor: fc.constantFrom('blue', '#202020'),
    paddingLeft: fc.integer({min: 0, max: 2}),
    marginTop: fc.integer({min: 0, max: 2}),
    position: fc.constantFrom('absolute', 'relative'),
    left: fc.integer({min: -3, max: 40}),
    top: fc.integer({min: -2, max: 8}),
  },
  {requiredKeys: []},
);

const box: fc.Arbitrary<SceneNode> = fc
  .tuple(boxProps, fc.array(fc.oneof(text, pane), {maxLength: 3}))
  .map(([props, children]): SceneNode => ({kind: 'box', props, children}));

/** A pane at a place, as the program's screen has them. */
const placed: fc.Arbitrary<SceneNode> = fc.tuple(pane, fc.integer({min: 0, max: 40}), fc.integer({min: 0, max: 8})).map(
  ([child, left, top]): SceneNode => ({
    kind: 'box',
    props: {position: 'absolute', left, top, flexShrink: 0},
    children: [child],
  }),
);

const part = fc.oneof({weight: 2, arbitrary: pane}, box, overlay, text);

/** Returns a box as high as the terminal, like the program's screen. */
function screen(children: readonly SceneNode[], cursor: {x: number; y: number} | undefined): SceneNode {
  const box: SceneNode = {
    kind: 'box',
    props: {width: sceneSize.columns, height: sceneSize.rows, overflow: 'hidden', flexDirection: 'column'},
    children,
  };
  return cursor === undefined ? box : {kind: 'cursor', ...cursor, child: box};
}

const cursor = fc.option(
  fc.record({
    x: fc.integer({min: 0, max: sceneSize.columns - 1}),
    y: fc.integer({min: 0, max: sceneSize.rows - 1}),
  }),
  {nil: undefined},
);

/** Returns sequences of screens that have some of their parts in common. */
function runsOf(anyPart: fc.Arbitrary<SceneNode>): fc.Arbitrary<SceneNode[]> {
  return fc.array(anyPart, {minLength: 1, maxLength: 6}).chain((parts) =>
    fc.array(
      fc.tuple(fc.subarray(parts), cursor).map(([children, position]) => screen(children, position)),
      {minLength: 2, maxLength: 8},
    ),
  );
}

export const sceneRuns: fc.Arbitrary<SceneNode[]> = runsOf(part);
/** All parts say where they are and how large. */
export const placedSceneRuns: fc.Arbitrary<SceneNode[]> = runsOf(fc.oneof(placed, overlay));
