import {Box} from 'ink';
import {type ReactNode, useMemo} from 'react';
import {LinesPane} from './LinesPane.tsx';

export interface FloatingBoxProps {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

/**
 * A box that covers everything beneath it. Ink's Box covers only the cells for which it paints a background, and Parley
 * leaves the background to the terminal, so this one paints blank lines before its children. It must come after all that it
 * covers, in a parent whose top left corner is that of the screen.
 */
export function FloatingBox({left, top, width, height, children}: FloatingBoxProps) {
  const blankLines = useMemo(() => Array.from({length: height}, () => ' '.repeat(width)), [width, height]);
  return (
    <Box position="absolute" left={left} top={top} width={width} height={height} flexShrink={0}>
      <Box position="absolute" left={0} top={0}>
        <LinesPane width={width} height={height} lines={blankLines} />
      </Box>
      <Box position="absolute" left={0} top={0}>
        {children}
      </Box>
    </Box>
  );
}
