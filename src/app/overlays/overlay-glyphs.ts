import type {Frame} from '#app/core/frame.ts';
import {plainSignText} from '#app/format/ui-glyphs.ts';
import type {RowGlyphs} from './picker-row-line.ts';

type Ends = readonly [left: string, right: string];

/** What boxes are drawn with. */
export interface OverlayGlyphs extends RowGlyphs {
  readonly line: string;
  readonly side: string;
  readonly prompt: string;
  readonly corners: {readonly top: Ends; readonly middle: Ends; readonly bottom: Ends};
}

const glyphSets: Readonly<Record<Frame['looks']['glyphs'], OverlayGlyphs>> = {
  unicode: {
    line: '─',
    side: '│',
    prompt: ' › ',
    bar: '▌',
    rule: '─',
    ellipsis: '…',
    words: (text) => text,
    corners: {top: ['╭', '╮'], middle: ['├', '┤'], bottom: ['╰', '╯']},
  },
  ascii: {
    line: '-',
    side: '|',
    prompt: ' > ',
    bar: '>',
    rule: '-',
    ellipsis: '...',
    words: (text) => plainSignText(text, {glyphs: 'ascii'}),
    corners: {top: ['+', '+'], middle: ['+', '+'], bottom: ['+', '+']},
  },
};

export function overlayGlyphs({looks}: Pick<Frame, 'looks'>): OverlayGlyphs {
  return glyphSets[looks.glyphs];
}
