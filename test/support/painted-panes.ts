import {headerLines, listPane, messagePaneLines, statusLines} from '#test/support/part-lines.ts';
import {bannerLines} from '#ui/banner/banner-lines.ts';
import {completionMenuLines, completionMenuRect} from '#ui/completion-menu/completion-menu-lines.ts';
import {composerLines} from '#ui/composer/composer-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {View} from '#ui/core/view.ts';
import {inboxLines} from '#ui/inbox/inbox-lines.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {terminalCursorPosition} from '#ui/layout/terminal-cursor.ts';
import {tooSmallLines} from '#ui/layout/too-small-screen.ts';
import {overlayLines, overlayRect} from '#ui/overlays/overlay-lines.ts';
import {prefixLines, prefixRect} from '#ui/status-line/prefix-panel.ts';
import {toastPanelLines, toastPanelRect} from '#ui/status-line/toast-panel.ts';
import {triageLines} from '#ui/triage/triage-lines.ts';

type PaneLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

const mainPanes: Readonly<Record<View['kind'], PaneLines>> = {
  inbox: inboxLines,
  triage: triageLines,
  recent: listPane('recent'),
  directs: listPane('directs'),
  topics: listPane('topics'),
  channels: listPane('browser'),
  people: listPane('people'),
  drafts: listPane('drafts'),
  messages: messagePaneLines,
};

/** Returns every line of a frame with its styles and position, as the components would place them. */
export function paintedPanes(frame: Frame): readonly string[] {
  const layout = screenLayout(frame);
  const {columns, rows} = frame.screen.size;
  const whole: Rect = {x: 0, y: 0, columns, rows};
  const panes: readonly (readonly [name: string, rect: Rect | undefined, lines: PaneLines])[] =
    layout.size === 'tooSmall'
      ? [['too small', whole, (_, rect) => tooSmallLines(rect)]]
      : [
          ['header', layout.header, headerLines],
          ['channels', layout.channels, listPane('channels')],
          ['topics', layout.topics, listPane('topics')],
          ['banner', layout.banner, bannerLines],
          ['main', layout.main, mainPanes[frame.screen.view.kind]],
          ['composer', layout.composer, composerLines],
          ['people', layout.people, listPane('people')],
          ['status', layout.status, statusLines],
          ['menu', completionMenuRect(frame), completionMenuLines],
          ['overlay', overlayRect(frame), overlayLines],
          ['prefix', prefixRect(frame), prefixLines],
          ['toast', layout.toast, statusLines],
          ['long toast', toastPanelRect(frame), toastPanelLines],
        ];
  const painted = panes.flatMap(([name, rect, lines]) =>
    rect === undefined
      ? []
      : lines(frame, rect).map((line, at) => `${name} ${JSON.stringify(rect)} ${at} ${JSON.stringify(line)}`),
  );
  return [...painted, `cursor ${JSON.stringify(terminalCursorPosition(frame))}`];
}
