import {useMemo} from 'react';
import {sameFields} from '#std/memo.ts';
import type {Frame} from '#ui/core/frame.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, LinesPart, type PartProps, Rule} from '#ui/Lines.tsx';
import {inboxLayout, type Layout, type Rect, type SelectedRows, triageLayout} from '#ui/layout/layout.ts';
import {listCursor} from '#ui/lists/list-part.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {lastRow, Timeline} from '#ui/message-pane/MessagePane.tsx';
import {firstRow, type ViewPart} from '#ui/part.ts';
import {InboxList} from './InboxList.tsx';
import {inboxList} from './inbox-list.ts';
import {previewedMessages, triageItemUnderCursor} from './inbox-preview.ts';
import {inboxSummary, isInboxEmpty, ruleLine, summaryLines} from './inbox-summary.ts';
import {inboxTabsLine} from './inbox-tabs.ts';
import {
  foldedGroup,
  groupHeading,
  groupLines,
  noticeLine,
  type PreviewPlace,
  previewHeading,
  previewNotice,
  previewTitle,
  type ShownGroup,
  shownGroup,
} from './preview-heading.ts';

/** The unread conversations, and beside or below them the messages of the one under the cursor. */
export function Inbox({rect}: PartProps) {
  const {tabs, rule, body, list, divider, heading, preview} = useSelectEqual((snapshot) => inboxLayout(snapshot, rect));
  const isEmpty = useSelect(isInboxEmpty);
  return (
    <>
      <Tabs rect={tabs} />
      {rule && <HeadRule rect={rule} dividerAt={isEmpty ? undefined : divider?.x} />}
      {isEmpty ? <InboxSummary rect={body} /> : <InboxList rect={list} />}
      {!isEmpty && divider && <Rule rect={divider} />}
      {!isEmpty && preview && <Preview heading={heading} rect={preview} place={divider ? 'beside' : 'below'} />}
    </>
  );
}

function Tabs({rect}: PartProps) {
  return <LinesPart rect={rect} select={inboxTabsLine} linesOf={(line) => [line]} />;
}

interface HeadRuleProps extends PartProps {
  /** The column of the line that starts at the rule, if there is one. */
  readonly dividerAt?: number | undefined;
}

/** The rule below the tabs, or below the heading of triage. */
function HeadRule({rect, dividerAt}: HeadRuleProps) {
  const glyphs = useSelect(({display}) => display.glyphs);
  return <Lines rect={rect} lines={[ruleLine(glyphs, rect, dividerAt)]} />;
}

/** Shown instead of the list when nothing is unread. */
function InboxSummary({rect}: PartProps) {
  return (
    <LinesPart
      rect={rect}
      select={inboxSummary}
      linesOf={(summary, {columns, rows}) => summaryLines(summary, columns).slice(0, rows)}
    />
  );
}

interface PreviewProps extends PartProps {
  /** Undefined where there is no room for it. */
  readonly heading: Rect | undefined;
  readonly place: PreviewPlace;
}

/** The row under the cursor: a conversation with its messages, or a folded group with its conversations. */
function Preview(props: PreviewProps) {
  const group = useSelectEqual(shownGroup);
  return group === undefined ? <ConversationPreview {...props} /> : <GroupPreview {...props} group={group} />;
}

/** A conversation, and below its messages who is typing and how many are to come; nothing while the list has no rows. */
function ConversationPreview({heading, rect, place}: PreviewProps) {
  const title = useSelect(previewTitle, sameFields);
  const messages = useSelect((snapshot) => previewedMessages(snapshot, rect));
  const notice = useSelectEqual((snapshot) => previewNotice(snapshot, rect));
  const {columns} = rect;
  const headings = useMemo(
    () => (title === undefined ? [] : [previewHeading(title, place, columns)]),
    [title, place, columns],
  );
  const notices = useMemo(() => (notice === undefined ? [] : [noticeLine(notice, columns)]), [notice, columns]);
  return (
    <>
      {heading && <Lines rect={heading} lines={headings} />}
      {messages && <Timeline rect={rect} shown={messages} />}
      {notice && <Lines rect={lastRow(rect)} lines={notices} />}
    </>
  );
}

interface GroupPreviewProps extends PreviewProps {
  readonly group: ShownGroup;
}

function GroupPreview({heading, rect, place, group}: GroupPreviewProps) {
  return (
    <>
      {heading && <Lines rect={heading} lines={[groupHeading(group, place, rect.columns)]} />}
      <Lines rect={rect} lines={groupLines(group, rect)} />
    </>
  );
}

/** The inbox, one conversation at a time. */
export function Triage({rect}: PartProps) {
  const isEmpty = useSelect(isInboxEmpty);
  const hasRow = useSelect((snapshot) => (triageItemUnderCursor(snapshot) ?? foldedGroup(snapshot)) !== undefined);
  const {heading, rule, preview} = triageLayout(rect);
  if (isEmpty) return <InboxSummary rect={rect} />;
  if (!hasRow) return <InboxList rect={rect} />;
  return (
    <>
      <Preview heading={heading} rect={preview} place="alone" />
      {rule && <HeadRule rect={rule} />}
    </>
  );
}

const inboxCursor = listCursor(inboxList);

export const inboxView: ViewPart = {
  component: Inbox,
  ...inboxCursor,
  selectedRows: (frame, layout) =>
    isInboxEmpty(frame) ? firstRow(layout.main, 1) : inboxCursor.selectedRows(frame, layout),
};

export const triageView: ViewPart = {
  ...inboxView,
  component: Triage,
  selectedRows: (frame, layout) => triageHeading(frame, layout) ?? inboxView.selectedRows?.(frame, layout),
};

/** Triage shows one conversation: its heading says which. */
function triageHeading(frame: Frame, {main}: Layout): SelectedRows | undefined {
  if (isInboxEmpty(frame) || (triageItemUnderCursor(frame) ?? foldedGroup(frame)) === undefined) return undefined;
  const {heading, preview} = triageLayout(main);
  const {x, y} = heading ?? preview;
  return {x, y, rows: main.rows, key: `triage ${cursorRow(frame, inboxList)?.key}`};
}
