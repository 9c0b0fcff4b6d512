import {hasServerState} from '#state/initial-state.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import {bannerOfferHint, connectionOffer} from '#ui/banner/banner-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';

/** What the header says about the connection. */
export type ConnectionContent = ReturnType<typeof connectionContent>;

export function connectionContent(frame: Frame) {
  const {account, screen} = frame;
  const offer = connectionOffer(frame);
  return {
    status: account.connection,
    outage: screen.outage,
    /** Whether keys apply to it. */
    isFocused: screen.focus === 'connection',
    offer,
    /** The keys to the offer. */
    keyHint: bannerOfferHint(frame, offer, 'connection'),
    /** The number of messages that are sent when it works again. */
    waiting: account.outbox.filter(({status}) => pendingStatuses.has(status)).length,
    time: timeOptionsOf(frame),
    /** Before the first registration the format of times is not known. */
    isTimeKnown: hasServerState(account),
  };
}

const pendingStatuses: ReadonlySet<OutboxStatus> = new Set(['queued', 'sending', 'held']);
const undeliveredStatuses: ReadonlySet<OutboxStatus> = new Set(['failed', 'unconfirmed']);

/** Whether the message needs its author to act. */
export function isUndelivered({status}: OutboxEntry): boolean {
  return undeliveredStatuses.has(status);
}

export function failedCount({outbox}: AccountState): number {
  return outbox.filter(isUndelivered).length;
}

/** Whether the unread counts may be outdated. */
export function hasStaleUnreads({connection}: AccountState): boolean {
  return connection.phase !== 'online' && 'savedAt' in connection && connection.savedAt !== undefined;
}
