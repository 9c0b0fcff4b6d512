import {useMemo} from 'react';
import {sameFields} from '#std/memo.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import type {Rect} from '#ui/layout/layout.ts';
import {lastRow, Timeline} from '#ui/message-pane/MessagePane.tsx';
import {previewedMessages} from './inbox-preview.ts';
import {
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

interface PreviewProps extends PartProps {
  /** Undefined where there is no room for it. */
  readonly heading: Rect | undefined;
  readonly place: PreviewPlace;
}

/** The row under the cursor: a conversation with its messages, or a folded group with its conversations. */
export function Preview(props: PreviewProps) {
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
      {heading && <Lines rect={heading} label="Conversation" lines={headings} />}
      {messages && <Timeline rect={rect} shown={messages} />}
      {notice && <Lines rect={lastRow(rect)} label="" lines={notices} />}
    </>
  );
}

interface GroupPreviewProps extends PreviewProps {
  readonly group: ShownGroup;
}

function GroupPreview({heading, rect, place, group}: GroupPreviewProps) {
  return (
    <>
      {heading && <Lines rect={heading} label="Group" lines={[groupHeading(group, place, rect.columns)]} />}
      <Lines rect={rect} label="Conversations" lines={groupLines(group, rect)} />
    </>
  );
}
