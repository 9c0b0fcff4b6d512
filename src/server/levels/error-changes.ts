import {ApiError, badRequest} from '#server/http/errors.ts';
import type {LevelChange} from './level-change.ts';

/** Error codes with the level that added each; older servers answer with a plain BAD_REQUEST. */
const codeLevels: Readonly<Record<string, number>> = {
  REACTION_ALREADY_EXISTS: 193,
  REACTION_DOES_NOT_EXIST: 193,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 229,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 229,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 172,
};

export const errorChanges: readonly LevelChange[] = [
  ...Object.entries(codeLevels).map(
    ([code, level]): LevelChange => ({
      kind: 'error',
      level,
      error: code,
      before: (error) => badRequest(error.message),
    }),
  ),
  {
    kind: 'error',
    level: 208,
    error: 'UNKNOWN_PRINCIPAL',
    before: (error) => new ApiError('UNAUTHORIZED_PRINCIPAL', error.message, 403),
  },
];
