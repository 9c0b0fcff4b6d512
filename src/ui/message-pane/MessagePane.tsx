import {memo, useCallback} from 'react';
import type {Frame} from '#ui/core/frame.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import type {Rect} from '#ui/layout/layout.ts';
import {noMessagesLines} from '#ui/message-pane/lines/edge-lines.ts';
import type {ViewPart} from '#ui/part.ts';
import {mainTimeline, noticeLine, paneNotice, type ShownTimeline, selectedMessageRows} from './shown-timeline.ts';

/** The messages of a conversation, channel or search, and below them who is typing and what is not shown. */
export function MessagePane({rect}: PartProps) {
  const shown = useSelect(useCallback((snapshot: Frame) => mainTimeline(snapshot, rect), [rect]));
  return (
    <>
      {shown && <Timeline rect={rect} shown={shown} />}
      <Notice rect={rect} />
    </>
  );
}

/** The row below the messages. It renders only when it changes, not with each line of scrolling. */
const Notice = memo(function Notice({rect}: PartProps) {
  const notice = useSelectEqual(useCallback((snapshot: Frame) => paneNotice(snapshot, rect), [rect]));
  return notice && <Lines rect={lastRow(rect)} lines={[noticeLine(notice, rect.columns)]} />;
});

/** Returns the last row of a pane. */
export function lastRow(rect: Rect): Rect {
  return {...rect, y: rect.y + rect.rows - 1, rows: 1};
}

interface TimelineProps extends PartProps {
  readonly shown: ShownTimeline;
}

/** The messages; instead of them that they are loading, could not be loaded, or that there are none. */
export function Timeline({rect, shown}: TimelineProps) {
  const {lines, noMessages, typeset} = shown;
  if (noMessages === undefined) return <Lines rect={rect} lines={lines} />;
  const texts = noMessagesLines(noMessages, typeset.measures).slice(0, shown.height);
  return <Lines rect={rect} lines={texts} />;
}

export const messagesView: ViewPart = {
  component: MessagePane,
  selectedRows: (frame, {main}) => selectedMessageRows(frame, main),
};
