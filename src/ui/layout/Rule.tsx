import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';

const ruleLine = {
  unicode: {spans: [{text: '│', role: 'separator'}], width: 1},
  ascii: {spans: [{text: '|', role: 'separator'}], width: 1},
  words: {spans: [{text: ' ', role: 'separator'}], width: 1},
} as const;

/** The vertical line between two parts. */
export function Rule({rect}: PartProps) {
  const glyphs = useSelect(({display}) => display.glyphs);
  return <Lines rect={rect} label="" lines={Array.from({length: rect.rows}, () => ruleLine[glyphs])} />;
}
