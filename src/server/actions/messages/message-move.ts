import {type ChannelRow, fold} from '#server/db/rows.ts';
import type {MessageOrigin} from '#server/db/unread-messages.ts';
import type {PropagateMode} from '#wire/objects/message.ts';

export interface MessageMove {
  readonly from: ChannelRow;
  readonly to: ChannelRow;
  readonly oldTopic: string;
  readonly topic: string;
  readonly mode: PropagateMode;
  readonly isResolution: boolean;
  /** Whether the destination topic had messages before. */
  readonly targetExisted: boolean;
  /** Ascending. */
  readonly ids: readonly number[];
}

export function originOf({from, oldTopic}: MessageMove): MessageOrigin {
  return {channelId: from.id, topicKey: fold(oldTopic)};
}
