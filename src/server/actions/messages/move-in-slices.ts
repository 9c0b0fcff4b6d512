import type {ActionContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {countDetachedRows} from '#server/db/unread-messages.ts';
import {badRequest} from '#server/http/errors.ts';
import {batches} from '#std/batches.ts';
import {type MessageMove, originOf} from './message-move.ts';
import {emitMessageUpdate} from './message-update-event.ts';
import {movePart} from './move-messages.ts';

/** The messages that one action moves, and the unread rows that it writes for readers of both channels. */
const messagesPerSlice = 2000;
const rowsPerSlice = 20_000;
/** The most unread rows that one move may write. */
const maxRows = 300_000;

/** Returns whether a move takes several actions. One to another channel may do so, too. */
export function isLongMove({ids}: MessageMove): boolean {
  return ids.length > messagesPerSlice;
}

/**
 * Moves the messages of a long topic in slices, each with its own event, and returns the move of the last ones, to which
 * the requested message belongs: after a crash the request can be repeated. A short move is returned as it is.
 */
export function* moveAllButLast(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  move: MessageMove,
): Generator<void, MessageMove> {
  const slices = yield* slicesOf(act, move);
  if (slices.length < 2) return move;
  for (const ids of slices.slice(0, -1)) {
    yield;
    const part = {...move, ids: stillInTopic(act, move, ids).filter((id) => id !== message.id)};
    if (part.ids.length > 0) {
      emitMessageUpdate(act, {actor, message, edit: undefined, moved: movePart(act, actor, part)});
    }
  }
  yield;
  const last = [...(slices.at(-1) ?? []), message.id, ...sentMeanwhile(act, move)];
  return {...move, ids: stillInTopic(act, move, last)};
}

function* slicesOf({db}: ActionContext, move: MessageMove): Generator<void, number[][]> {
  const parts = batches(move.ids, messagesPerSlice);
  if (move.to.id === move.from.id) return parts;
  const slices: number[][] = [];
  let total = 0;
  for (const ids of parts) {
    const count = countDetachedRows(db, ids, originOf(move), move.to.id, maxRows + 1 - total);
    total += count;
    if (total > maxRows) {
      throw badRequest('Too many people have these messages unread. Move fewer messages at once.');
    }
    slices.push(...batches(ids, Math.ceil(messagesPerSlice / Math.max(1, count / rowsPerSlice))));
    yield;
  }
  return slices;
}

/** Returns the messages that nobody deleted or moved elsewhere in a pause, ascending. */
function stillInTopic({db}: ActionContext, move: MessageMove, ids: readonly number[]): number[] {
  const {channelId, topicKey} = originOf(move);
  return db.pluck(
    `SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?)) AND channel_id = ? AND topic_key = ? ORDER BY id`,
    JSON.stringify(ids),
    channelId,
    topicKey,
  );
}

/** Returns the messages of the topic that were sent after the move was planned. */
function sentMeanwhile({db}: ActionContext, move: MessageMove): number[] {
  const {channelId, topicKey} = originOf(move);
  const sql = 'SELECT id FROM message WHERE channel_id = ? AND topic_key = ? AND id > ?';
  return db.pluck(sql, channelId, topicKey, move.ids.at(-1) ?? 0);
}
