import {Box} from 'ink';
import type {ReactNode} from 'react';
import {LinesPane} from './LinesPane.tsx';

export interface FloatingBoxProps {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

/**
 * Something on top of the screen. A Box covers what is beneath only where it paints a background, and this program leaves
 * the background to the terminal: so blank lines come first, then what the overlay shows. It belongs behind everything it
 * covers, in a parent that begins at the top left corner.
 */
export function FloatingBox({left, top, width, height, children}: FloatingBoxProps) {
  return (
    <Box position="absolute" left={left} top={top} width={width} height={height} flexShrink={0}>
      <Box position="absolute" left={0} top={0}>
        <LinesPane width={width} height={height} lines={blankLines(width, height)} />
      </Box>
      <Box position="absolute" left={0} top={0}>
        {children}
      </Box>
    </Box>
  );
}

let blanks: {readonly width: number; readonly height: number; readonly lines: readonly string[]} = {
  width: 0,
  height: 0,
  lines: [],
};

/** The same lines while the size is the same, so that they are not painted again. */
function blankLines(width: number, height: number): readonly string[] {
  if (blanks.width !== width || blanks.height !== height) {
    blanks = {width, height, lines: Array.from({length: height}, () => ' '.repeat(width))};
  }
  return blanks.lines;
}
