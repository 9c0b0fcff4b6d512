import type {Frame} from '#app/core/frame.ts';
import type {KeyHint} from '#app/core/key-guide.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {Toast} from '#app/core/screen-state.ts';
import {plainGlyphText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import type {Rect} from '#app/layout/layout.ts';
import {fitText, fittedLine, leftRightLine, type UiSpan} from '#app/layout/ui-line.ts';
import {selectedCount} from '#app/lists/visible-rows.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';

export function statusLines(frame: Frame, _rect: Rect): readonly PaneLine[] {
  return [statusLine(frame)];
}

/** What one can do now; what was just said takes its place for a while. */
const statusLine = memoByFrame(
  (frame) => {
    const {screen, display: looks, info: facts} = frame;
    return [
      facts.keys?.hints(frame),
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
      looks,
      facts,
    ];
  },
  (frame): PaneLine => {
    const {screen, display: looks} = frame;
    const {columns} = screen.size;
    const {ellipsis} = uiGlyphs(looks);
    const mode = modeSpans(frame);
    if (screen.toast !== undefined) {
      // On a small screen every word counts.
      const before = columns < 60 ? [{text: ' ', role: 'text'} as const] : mode;
      const text = toastText(frame, screen.toast.text, columns - spansColumns(before));
      return fittedLine([...before, {text, role: toastRoles[screen.toast.tone]}], columns, ellipsis);
    }
    const ways = moreHintSpans(frame, columns);
    const hints = hintSpans(frame, columns - spansColumns(mode) - spansColumns(ways) - 2);
    return leftRightLine([...mode, ...hints], ways, columns, {ellipsis});
  },
);

/** What a key does about it, after the last dot, is whole where it fits at all: the words before it give way. */
function toastText({display: looks}: Frame, said: string, room: number): string {
  const text = plainGlyphText(said, looks);
  const at = text.lastIndexOf(plainGlyphText(' · ', looks));
  const tail = at < 0 ? '' : text.slice(at);
  const left = room - textColumns(tail);
  if (tail === '' || left < leastToast || textColumns(text) <= room) return text;
  return `${fitText(text.slice(0, at), left, uiGlyphs(looks).ellipsis)}${tail}`;
}

const leastToast = 12;

const toastRoles: Readonly<Record<Toast['tone'], UiRole>> = {
  plain: 'toast',
  warning: 'warning',
  error: 'error',
};

function modeSpans(frame: Frame): readonly UiSpan[] {
  const {screen, info: facts} = frame;
  const mode = facts.keys?.mode(screen);
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

/** As many as there is room for, none of them cut. */
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

/** In the middle of a sequence nothing else counts. */
function hintsNow(frame: Frame): readonly KeyHint[] {
  const {prefix} = frame.screen;
  if (prefix.length === 0) {
    const hints = frame.info.keys?.hints(frame) ?? [];
    return selectedCount(frame) > 0 ? [{key: 'Esc', label: 'unselect'}, ...hints] : hints;
  }
  return [
    {key: prefix.join(' '), label: 'and then'},
    {key: 'Esc', label: 'cancel'},
  ];
}

/** On the narrowest screens only the last way is left. */
function moreHintSpans({screen, info: facts}: Frame, columns: number): readonly UiSpan[] {
  const ways = facts.keys?.moreHints(screen) ?? [];
  const kept = columns < 60 ? ways.slice(-1) : ways;
  return [
    ...kept.flatMap((way, at) => (at === 0 ? keyHintSpans(way) : [gap, ...keyHintSpans(way)])),
    {text: ' ', role: 'text'},
  ];
}
