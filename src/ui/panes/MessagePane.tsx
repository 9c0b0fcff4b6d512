import {memo} from 'react';
import type {Rect} from '#app/layout/layout.ts';
import {messageLines} from '#app/timeline/message-pane.ts';
import {Pane} from '#ui/Pane.tsx';

export const MessagePane = memo(function MessagePane({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={messageLines} label="Messages" />;
});
