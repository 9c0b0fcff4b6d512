import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {render} from 'ink-testing-library';
import {Profiler, type ReactElement} from 'react';
import {onTestFinished} from 'vitest';
import type {Frame} from '#ui/core/frame.ts';
import {AppContext} from '#ui/hooks/use-select.ts';

interface RenderedInk {
  /** Returns the rows of the last output without trailing spaces. */
  rows(): readonly string[];
  /** Returns the rows without their styles. */
  texts(): readonly string[];
  /** Returns the number of outputs that Ink has written, one for each commit of React. */
  outputCount(): number;
}

/**
 * Renders a tree with ink-testing-library on a stdout of the given size (`80x24`). The library's own stdout always has 100
 * columns, so it gets this size before the tree is rendered.
 */
export function renderInk(tree: ReactElement, size: string): RenderedInk {
  const [columns, rows] = size.split('x').map(Number);
  const {stdout, rerender, unmount, cleanup} = withTerminalSize(() => render(<Box />));
  Object.defineProperties(stdout, {columns: {value: columns}, rows: {value: rows}});
  stdout.emit('resize');
  const outputsBefore = stdout.frames.length;
  rerender(tree);
  onTestFinished(() => {
    unmount();
    cleanup();
  });
  const rowsNow = () => (stdout.lastFrame() ?? '').split('\n').map((row) => row.trimEnd());
  return {
    rows: rowsNow,
    texts: () => rowsNow().map((row) => stripVTControlCharacters(row).trimEnd()),
    outputCount: () => stdout.frames.length - outputsBefore,
  };
}

/** Runs a function while the environment has a size of the terminal, without which Ink starts programs to find it. */
function withTerminalSize<T>(run: () => T): T {
  const {COLUMNS, LINES} = process.env;
  Object.assign(process.env, {COLUMNS: '100', LINES: '24'});
  try {
    return run();
  } finally {
    restoreVariable('COLUMNS', COLUMNS);
    restoreVariable('LINES', LINES);
  }
}

function restoreVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

export interface RenderedFrames extends RenderedInk {
  /** Paints another frame; resolves when React has rendered it. */
  paint(frame: Frame): Promise<void>;
  /** Returns how often a component of the tree has been rendered. */
  renderCount(): number;
}

/** Renders components of the screen as the program does: they read the painted frame from their context. */
export function renderWithFrame(tree: ReactElement, first: Frame): RenderedFrames {
  let paintedFrame = first;
  const listeners = new Set<() => void>();
  const frames = {
    get paintedFrame() {
      return paintedFrame;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const {columns, rows} = first.screen.size;
  let renderCount = 0;
  const onRender = () => void renderCount++;
  const counted = (
    <Profiler id="tree" onRender={onRender}>
      <Box width={columns} height={rows}>
        {tree}
      </Box>
    </Profiler>
  );
  return {
    ...renderInk(<AppContext value={{frames}}>{counted}</AppContext>, `${columns}x${rows}`),
    renderCount: () => renderCount,
    paint: async (frame) => {
      paintedFrame = frame;
      for (const listener of listeners) listener();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
