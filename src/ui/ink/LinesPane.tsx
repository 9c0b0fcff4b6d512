import {Box, Text, Transform} from 'ink';
import {memo} from 'react';

export interface LinesPaneProps {
  readonly width: number;
  readonly height: number;
  /** From the top; rows without one stay as they are. No line is wider than the pane: nothing would clip it. */
  readonly lines: readonly string[];
  /** What a screen reader says in place of the lines. */
  readonly label?: string;
}

/**
 * A rectangle of lines that are painted already. Ink never wraps, measures or styles them: the text it lays out is the same
 * few line breaks for as long as the pane has this height, and the lines come in where the text is written.
 */
export const LinesPane = memo(function LinesPane({width, height, lines, label}: LinesPaneProps) {
  if (width < 1 || height < 1) return null;
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Transform
        transform={(_, row) => lines[row] ?? ''}
        {...(label === undefined ? {} : {accessibilityLabel: label})}
      >
        <Text>{placeholder(height)}</Text>
      </Transform>
    </Box>
  );
});

/** As many rows as the pane has, as narrow as a pane can be. */
function placeholder(height: number): string {
  return ` ${'\n'.repeat(height - 1)}`;
}
