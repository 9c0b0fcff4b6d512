import {memo} from 'react';
import type {Rect} from '#app/layout/layout.ts';
import {messagePaneLines} from '#app/timeline/message-pane.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const MessagePane = memo(function MessagePane({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={messagePaneLines} label="Messages" />;
});
