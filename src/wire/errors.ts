import {inviteLink} from './objects/user.ts';
import {decode, type Infer, int, nat, object, s, strings} from './schema.ts';

/** The body of a failed request. */
export const errorBody = object(
  {result: s.string(), msg: s.string()},
  {
    code: s.string(),
    var_name: s.string(),
    var_name1: s.string(),
    var_name2: s.string(),
    bad_value: s.unknown(),
    parameters: s.string(),
    required_parameter: s.string(),
    set_parameter: s.string(),
    empty_topic_display_name: s.string(),
    queue_id: s.string(),
    stream: s.string(),
    stream_id: s.number(),
    channel_name: s.string(),
    desc: s.string(),
    field_name: s.string(),
    setting_name: s.string(),
    first_message_id_allowed_to_move: int,
    total_messages_in_topic: nat,
    total_messages_allowed_to_move: nat,
    is_last_owner: s.boolean(),
    entity: s.string(),
    /** Of invitations: the address, the problem, and whether the account is deactivated. */
    errors: s.unknown(),
    sent_invitations: s.boolean(),
    invite_links: s.array(inviteLink),
    license_limit_reached: s.boolean(),
    daily_limit_reached: s.boolean(),
    objections: s.array(
      object({type: s.string()}, {supergroup_ids: s.array(int), channel_id: int, group_id: int, settings: strings}),
    ),
    allowed_methods: strings,
    'retry-after': s.number(),
  },
);
export type ErrorBody = Infer<typeof errorBody>;

/** Decodes the body of a failed request. Malformed additional fields are dropped. */
export function decodeError(body: unknown): ErrorBody | undefined {
  const whole = decode(errorBody, body);
  if (whole.ok) return whole.value;
  const bare = decode(object({result: s.string(), msg: s.string()}, {code: s.string()}), body);
  return bare.ok ? {result: bare.value.result, msg: bare.value.msg, code: bare.value.code} : undefined;
}

/** The client's reaction to a failure. */
export type Remedy = 'retry' | 'register' | 'login' | 'none';

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
