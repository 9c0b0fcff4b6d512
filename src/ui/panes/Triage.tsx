import {memo} from 'react';
import {triageLines} from '#app/inbox/pane/triage-pane.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const Triage = memo(function Triage({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={triageLines} label="Triage" />;
});
