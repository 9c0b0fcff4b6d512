import {findChannel} from '#server/db/channels.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {levels} from '#wire/levels.ts';
import {operands, operators} from '#wire/narrow.ts';
import type {Change, Params, Past} from './change.ts';

const request = (level: number, endpoint: string, before: (params: Params, past: Past) => void): Change => ({
  kind: 'request',
  level,
  endpoint,
  before,
});

/** A word that a parameter takes only from its level on. */
function word(level: number, endpoint: string, name: string, value: unknown): Change {
  return request(level, endpoint, (params) => {
    if (params[name] === value) throw badRequest(`Invalid ${name}`);
  });
}

const withNarrow = ['message.list', 'flag.update-narrow', 'message.match-narrow'];

/** Every operator and operand that has a level, at every endpoint that takes a narrow. */
const narrowChanges = withNarrow.flatMap((endpoint) => [
  ...Object.entries(operators)
    .filter(([, {since}]) => since > 0)
    .map(([operator, {since}]) =>
      request(since, endpoint, (params) => refuseTerm(params, (name) => name === operator)),
    ),
  ...Object.entries(operands).flatMap(([operator, values]) =>
    Object.entries(values)
      .filter(([, since]) => since > 0)
      .map(([value, since]) =>
        request(since, endpoint, (params) =>
          refuseTerm(params, (name, operand) => name === operator && operand === value),
        ),
      ),
  ),
]);

function refuseTerm(params: Params, isRefused: (operator: string, operand: unknown) => boolean): void {
  const terms = Array.isArray(params.narrow) ? params.narrow : [];
  for (const term of terms) {
    const [operator, operand] = Array.isArray(term) ? term : [term.operator, term.operand];
    if (isRefused(String(operator), operand)) {
      const description = `unknown operator ${operator}`;
      throw new ApiError('BAD_NARROW', `Invalid narrow operator: ${description}`, 400, {desc: description});
    }
  }
}

export const requestChanges: readonly Change[] = [
  ...narrowChanges,
  word(levels.typeDirect, 'message.send', 'type', 'direct'),
  word(levels.typeChannel, 'message.send', 'type', 'channel'),
  word(levels.typeDirect, 'typing.send', 'type', 'direct'),
  word(levels.typeChannel, 'typing.send', 'type', 'channel'),
  word(levels.anchorDate, 'message.list', 'anchor', 'date'),
  word(levels.followed, 'user-topic.set', 'visibility_policy', 3),
  // One path serves all providers, so its level is here and not in the endpoint table.
  request(493, 'call.create', ({segment}) => {
    if (segment === 'conference' || segment === 'webex') throw new ApiError('BAD_REQUEST', 'Not found', 404);
  }),
  request(480, 'topic.list', (params, {world}) => {
    if (findChannel(world.db, Number(params.stream_id))?.is_archived === 1)
      throw badRequest('Invalid channel ID');
  }),
  // Channel typing named the channel in `to` before it had a parameter of its own.
  request(215, 'typing.send', (params) => {
    if (params.type !== 'stream' || !Array.isArray(params.to)) return;
    params.stream_id = params.to[0];
    params.to = undefined;
  }),
];
