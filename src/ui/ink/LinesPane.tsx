import {Box, Text, Transform} from 'ink';
import {memo} from 'react';

export interface LinesPaneProps {
  readonly width: number;
  readonly height: number;
  /** The lines from the top; rows without a line paint nothing. No line may be wider than the pane: nothing clips it. */
  readonly lines: readonly string[];
  /** The text that a screen reader reads instead of the lines. */
  readonly label?: string;
}

/**
 * A rectangle of lines that already have their styles. Ink never wraps, measures or styles them: it lays out a placeholder
 * of line breaks, which stays the same while the pane has this height, and a transform replaces each row of it on output.
 */
export const LinesPane = memo(function LinesPane({width, height, lines, label}: LinesPaneProps) {
  if (width < 1 || height < 1) return null;
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Transform transform={(_, row) => lines[row] ?? ''} {...(label === undefined ? {} : {accessibilityLabel: label})}>
        <Text>{placeholder(height)}</Text>
      </Transform>
    </Box>
  );
});

/** Returns a text with as many rows as the pane and a width of one column. */
function placeholder(height: number): string {
  return ` ${'\n'.repeat(height - 1)}`;
}
