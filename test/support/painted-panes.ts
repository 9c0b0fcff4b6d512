import {catchUpList} from '#ui/catch-up/catch-up-list.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import {draftsList} from '#ui/drafts-panel/panel-rows.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {tooSmallLines} from '#ui/Screen.tsx';
import {screenLayout} from '#ui/screen-layout.ts';
import {terminalCursorPosition} from '#ui/terminal-cursor.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';
import {
  bannerLines,
  completionMenu,
  composerLines,
  headerLines,
  inboxParts,
  keyPanel,
  listPane,
  messagePaneLines,
  overlayPart,
  type PartLines,
  type PlacedLines,
  paneHeadLines,
  statusLines,
  toastPanel,
} from './part-lines.ts';

const mainPanes: Readonly<Record<Exclude<View['kind'], 'inbox' | 'triage'>, PartLines>> = {
  recent: listPane(recentList),
  catchUp: listPane(catchUpList),
  directs: listPane(directList),
  topics: listPane(topicList),
  channels: listPane(channelBrowser),
  people: listPane(peopleList),
  drafts: listPane(draftsList),
  messages: messagePaneLines,
};

/** The parts of the main pane, by name. */
function mainParts(frame: Frame, main: Rect): Readonly<Record<string, PlacedLines>> {
  const {kind} = frame.screen.view;
  if (kind !== 'inbox' && kind !== 'triage') return {main: {rect: main, lines: mainPanes[kind](frame, main)}};
  return Object.fromEntries(inboxParts(frame, main).map((part, at) => [`main ${at}`, part]));
}

/** Returns every line of a frame with its styles and position, as the components would place them. */
export function paintedPanes(frame: Frame): readonly string[] {
  const layout = screenLayout(frame);
  const {columns, rows} = frame.screen.size;
  const whole: Rect = {x: 0, y: 0, columns, rows};
  const at = (rect: Rect | undefined, lines: PartLines) => rect && {rect, lines: lines(frame, rect)};
  const panes: Readonly<Record<string, PlacedLines | undefined>> =
    layout.size === 'tooSmall'
      ? {'too small': {rect: whole, lines: tooSmallLines(whole)}}
      : {
          header: at(layout.header, headerLines),
          channels: at(layout.channels, listPane(channelList)),
          topics: at(layout.topics, listPane(topicList)),
          banner: at(layout.banner, bannerLines),
          head: at(layout.head, paneHeadLines),
          ...mainParts(frame, layout.main),
          composer: at(layout.composer, composerLines),
          people: at(layout.people, listPane(peopleList)),
          status: at(layout.status, statusLines),
          menu: completionMenu(frame),
          overlay: overlayPart(frame),
          prefix: keyPanel(frame),
          toast: at(layout.toast, statusLines),
          'long toast': toastPanel(frame),
        };
  const painted = Object.entries(panes).flatMap(([name, pane]) =>
    (pane?.lines ?? []).map((line, row) => `${name} ${JSON.stringify(pane?.rect)} ${row} ${JSON.stringify(line)}`),
  );
  const other = otherPaneFrame(frame);
  const inOther = other === undefined ? [] : paintedPanes(other).map((line) => `other ${line}`);
  return [...painted, ...inOther, `cursor ${JSON.stringify(terminalCursorPosition(frame))}`];
}
