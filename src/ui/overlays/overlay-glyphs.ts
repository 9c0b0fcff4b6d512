import type {DisplayOptions} from '#ui/core/frame.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import type {RowGlyphs} from './overlay-box.ts';

type CornerPair = readonly [left: string, right: string];

/** The glyphs that overlays are drawn with. */
export interface OverlayGlyphs extends RowGlyphs {
  readonly line: string;
  readonly side: string;
  readonly prompt: string;
  readonly corners: {readonly top: CornerPair; readonly middle: CornerPair; readonly bottom: CornerPair};
}

const glyphSets: Readonly<Record<DisplayOptions['glyphs'], OverlayGlyphs>> = {
  unicode: {
    line: '─',
    side: '│',
    prompt: ' › ',
    bar: '▌',
    rule: '─',
    ellipsis: '…',
    plainGlyphs: (text) => text,
    corners: {top: ['╭', '╮'], middle: ['├', '┤'], bottom: ['╰', '╯']},
  },
  ascii: {
    line: '-',
    side: '|',
    prompt: ' > ',
    bar: '>',
    rule: '-',
    ellipsis: '...',
    plainGlyphs: (text) => plainGlyphText(text, {glyphs: 'ascii'}),
    corners: {top: ['+', '+'], middle: ['+', '+'], bottom: ['+', '+']},
  },
};

export function overlayGlyphs({glyphs}: DisplayOptions): OverlayGlyphs {
  return glyphSets[glyphs];
}
