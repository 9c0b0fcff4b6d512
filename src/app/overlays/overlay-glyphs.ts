import type {Frame} from '#app/core/frame.ts';
import {plainGlyphText} from '#app/format/ui-glyphs.ts';
import type {RowGlyphs} from './picker-row-line.ts';

type CornerPair = readonly [left: string, right: string];

/** What boxes are drawn with. */
export interface OverlayGlyphs extends RowGlyphs {
  readonly line: string;
  readonly side: string;
  readonly prompt: string;
  readonly corners: {readonly top: CornerPair; readonly middle: CornerPair; readonly bottom: CornerPair};
}

const glyphSets: Readonly<Record<Frame['display']['glyphs'], OverlayGlyphs>> = {
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
    words: (text) => plainGlyphText(text, {glyphs: 'ascii'}),
    corners: {top: ['+', '+'], middle: ['+', '+'], bottom: ['+', '+']},
  },
};

export function overlayGlyphs({display: looks}: Pick<Frame, 'display'>): OverlayGlyphs {
  return glyphSets[looks.glyphs];
}
