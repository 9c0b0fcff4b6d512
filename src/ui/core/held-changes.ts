import {timelineOf} from '#state/selectors/timeline.ts';
import type {Frame} from './frame.ts';

/**
 * Whether a change since the painted frame is what the user waits for: a toast, a menu, a view, an own message, or messages
 * that were loading. Others, such as an arriving message or a toast that ends, would interrupt a screen reader.
 */
export function isAwaited(next: Frame, painted: Frame): boolean {
  const [before, after] = [painted.screen, next.screen];
  const hasToast = after.toast !== undefined && after.toast.id !== before.toast?.id;
  return (
    hasToast ||
    awaitedFields.some((field) => before[field] !== after[field]) ||
    next.fetches !== painted.fetches ||
    next.display !== painted.display ||
    next.account.outbox !== painted.account.outbox ||
    isLoading(painted)
  );
}

const awaitedFields = ['overlays', 'view', 'focus', 'composer', 'size'] as const;

function isLoading({account, screen}: Frame): boolean {
  if (account.connection.phase === 'starting') return true;
  if (screen.view.kind !== 'messages') return false;
  const timeline = timelineOf(account, screen.view.narrow);
  return timeline === undefined || timeline.loading !== undefined;
}
