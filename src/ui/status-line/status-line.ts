import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {KeyHint} from '#ui/core/key-guide.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {Toast} from '#ui/core/screen-state.ts';
import {plainGlyphText, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {fitText, fittedLine, leftRightLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {selectedCount} from '#ui/lists/visible-rows.ts';

/** The key hints; a toast replaces them for a while. */
export const statusLine = memoByFrame(
  (frame) => {
    const {screen, display, info} = frame;
    return [
      info.keys?.hints(frame),
      screen.toast,
      screen.size.columns,
      screen.overlays.length,
      screen.focus,
      screen.view,
      screen.lists,
      selectedCount(frame),
      screen.composer,
      screen.prefix,
      screen.isMouseOn,
      display,
      info,
    ];
  },
  (frame): PaneLine => {
    const {screen, display} = frame;
    const {columns} = screen.size;
    const {ellipsis} = uiGlyphs(display);
    const mode = modeSpans(frame);
    if (screen.toast !== undefined) {
      const before = spansBeforeToast(frame);
      const text = toastText(frame, screen.toast.text, columns - spansColumns(before));
      return fittedLine([...before, {text, role: toastRoles[screen.toast.tone]}], columns, ellipsis);
    }
    const moreHints = moreHintSpans(frame, columns);
    const hints = hintSpans(frame, columns - spansColumns(mode) - spansColumns(moreHints) - 2);
    return leftRightLine([...mode, ...hints], moreHints, columns, {ellipsis});
  },
);

/** On a small screen there is no room for the mode. */
function spansBeforeToast(frame: Frame): readonly UiSpan[] {
  return frame.screen.size.columns < 60 ? [{text: ' ', role: 'text'}] : modeSpans(frame);
}

/** Returns whether the status line cannot show the whole toast. */
export function isToastCut(frame: Frame): boolean {
  const {toast, size} = frame.screen;
  const room = size.columns - spansColumns(spansBeforeToast(frame));
  return toast !== undefined && textColumns(plainGlyphText(toast.text, frame.display)) > room;
}

/** Truncates a toast. The key hint after the last dot is kept complete if possible; the text before it is shortened. */
function toastText({display}: Frame, message: string, room: number): string {
  const text = plainGlyphText(message, display);
  const at = text.lastIndexOf(plainGlyphText(' · ', display));
  const tail = at < 0 ? '' : text.slice(at);
  const left = room - textColumns(tail);
  if (tail === '' || left < minToastColumns || textColumns(text) <= room) return text;
  return `${fitText(text.slice(0, at), left, uiGlyphs(display).ellipsis)}${tail}`;
}

const minToastColumns = 12;

export const toastRoles: Readonly<Record<Toast['tone'], UiRole>> = {
  plain: 'toast',
  warning: 'warning',
  error: 'error',
};

function modeSpans(frame: Frame): readonly UiSpan[] {
  const {screen, info} = frame;
  const mode = info.keys?.mode(screen);
  const selected = selectedCount(frame);
  return [
    ...(mode === undefined ? [] : [{text: ` ${mode}`, role: 'mode'} as const]),
    {text: screen.isMouseOn ? ' MOUSE' : '', role: 'mode'},
    {text: selected > 0 ? `  ${selected} selected` : '', role: 'marked'},
    {text: '  ', role: 'text'},
  ];
}

function keyHintSpans({key, label}: KeyHint): readonly UiSpan[] {
  return [
    {text: key, role: 'hint_key'},
    {text: ` ${label}`, role: 'hint'},
  ];
}

const gap: UiSpan = {text: '  ', role: 'text'};

/** Returns the hints that fit, none truncated. */
function hintSpans(frame: Frame, room: number): readonly UiSpan[] {
  const spans: UiSpan[] = [];
  let left = room;
  for (const hint of hintsNow(frame)) {
    const next = spans.length === 0 ? keyHintSpans(hint) : [gap, ...keyHintSpans(hint)];
    left -= spansColumns(next);
    if (left < 0) break;
    spans.push(...next);
  }
  return spans;
}

/** In the middle of a key sequence only its continuation is hinted. */
function hintsNow(frame: Frame): readonly KeyHint[] {
  const {prefix} = frame.screen;
  if (prefix.length === 0) {
    const hints = frame.info.keys?.hints(frame) ?? [];
    // In an overlay Esc closes it.
    const canUnselect = frame.screen.overlays.length === 0 && selectedCount(frame) > 0;
    return canUnselect ? [{key: 'Esc', label: 'unselect'}, ...hints] : hints;
  }
  return [
    {key: prefix.join(' '), label: 'next key'},
    {key: 'Esc', label: 'cancel'},
  ];
}

/** The hints at the right; the narrowest screens keep only the last one. */
function moreHintSpans(frame: Frame, columns: number): readonly UiSpan[] {
  const moreHints = frame.info.keys?.moreHints(frame) ?? [];
  const shownHints = columns < 60 ? moreHints.slice(-1) : moreHints;
  return [
    ...shownHints.flatMap((hint, at) => (at === 0 ? keyHintSpans(hint) : [gap, ...keyHintSpans(hint)])),
    {text: ' ', role: 'text'},
  ];
}
