import {useMemo} from 'react';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {mainTimeline, messagePaneLines, paneNotice} from './message-pane-lines.ts';

/** The messages of a conversation, channel or search, and below them who is typing and what is not shown. */
export function MessagePane({rect}: PartProps) {
  const timeline = useSelect((snapshot) => mainTimeline(snapshot, rect));
  const notice = useSelectEqual((snapshot) => paneNotice(snapshot, rect));
  const lines = useMemo(() => messagePaneLines(timeline, notice, rect), [timeline, notice, rect]);
  return <Lines rect={rect} label="Messages" lines={lines} />;
}
