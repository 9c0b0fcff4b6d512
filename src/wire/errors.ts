import {inviteLink} from '#wire/objects/user.ts';
import {decodeTolerantly} from './decode-tolerantly.ts';
import {type Infer, int, nat, object, s, strings} from './schema.ts';

/** The body of a failed request, with the fields of some codes that the client reads. */
export const errorBody = object(
  {result: s.string(), msg: s.string()},
  {
    code: s.string(),
    var_name: s.string(),
    field_name: s.string(),
    setting_name: s.string(),
    first_message_id_allowed_to_move: int,
    total_messages_in_topic: nat,
    total_messages_allowed_to_move: nat,
    /** Of invitations: the address, the problem, and whether the account is deactivated. */
    errors: s.unknown(),
    invite_links: s.array(inviteLink),
    objections: s.array(
      object({type: s.string()}, {supergroup_ids: s.array(int), channel_id: int, group_id: int, settings: strings}),
    ),
    'retry-after': s.number(),
  },
);
export type ErrorBody = Infer<typeof errorBody>;

/** Decodes the body of a failed request. Malformed additional fields are dropped. */
export function decodeError(body: unknown): ErrorBody | undefined {
  const decoded = decodeTolerantly(errorBody, body);
  return decoded.ok ? decoded.value : undefined;
}

/** The client's reaction to a failure. */
type Remedy = 'retry' | 'register' | 'login' | 'none';

/** Returns the reaction to a failure. `code` is absent below level 76 and in responses of gateways. */
export function remedy(status: number, code: string | undefined): Remedy {
  if (code === 'BAD_EVENT_QUEUE_ID') return 'register';
  if (status === 401) return 'login';
  // The server's disk is full: nothing was saved, and the user has to know why.
  if (code === 'INSUFFICIENT_STORAGE') return 'none';
  if (code === 'RATE_LIMIT_HIT' || status === 408 || status === 425 || status === 429 || status >= 500) {
    return 'retry';
  }
  return 'none';
}
