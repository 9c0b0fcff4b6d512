import {inviteLink} from './objects/user.ts';
import {decode, type Infer, int, nat, object, s, strings} from './schema.ts';

/** All error codes with their HTTP status and their additional fields. */
export const errorCodes = {
  BAD_REQUEST: {
    status: 400,
    fields: ['parameters', 'required_parameter', 'set_parameter', 'errors', 'empty_topic_display_name'],
  },
  REQUEST_VARIABLE_MISSING: {status: 400, fields: ['var_name']},
  REQUEST_VARIABLE_INVALID: {status: 400, fields: ['var_name', 'bad_value']},
  REQUEST_CONFUSING_VAR: {status: 400, fields: ['var_name1', 'var_name2']},
  INVALID_JSON: {status: 400, fields: []},
  BAD_NARROW: {status: 400, fields: ['desc']},
  BAD_EVENT_QUEUE_ID: {status: 400, fields: ['queue_id']},
  STREAM_DOES_NOT_EXIST: {status: 400, fields: ['stream', 'stream_id']},
  CHANNEL_ALREADY_EXISTS: {status: 409, fields: ['channel_name']},
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {status: 400, fields: []},
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {status: 400, fields: []},
  REACTION_ALREADY_EXISTS: {status: 400, fields: []},
  REACTION_DOES_NOT_EXIST: {status: 400, fields: []},
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    status: 400,
    fields: ['first_message_id_allowed_to_move', 'total_messages_in_topic', 'total_messages_allowed_to_move'],
  },
  EXPECTATION_MISMATCH: {status: 400, fields: ['field_name']},
  UNAUTHORIZED_PRINCIPAL: {status: 400, fields: []},
  PERMISSION_DENIED: {status: 400, fields: []},
  SYSTEM_GROUP_REQUIRED: {status: 400, fields: ['setting_name']},
  CANNOT_DEACTIVATE_LAST_USER: {status: 400, fields: ['is_last_owner', 'entity']},
  CANNOT_DEACTIVATE_GROUP_IN_USE: {status: 400, fields: ['objections']},
  INVITATION_FAILED: {
    status: 400,
    fields: ['errors', 'sent_invitations', 'license_limit_reached', 'daily_limit_reached', 'invite_links'],
  },
  REALM_UPLOAD_QUOTA: {status: 400, fields: []},
  BAD_IMAGE: {status: 400, fields: []},
  INVALID_VIDEO_CALL_PROVIDER_TOKEN: {status: 400, fields: []},
  UNKNOWN_ZOOM_USER: {status: 400, fields: []},
  UNAUTHORIZED: {status: 401, fields: []},
  INVALID_API_KEY: {status: 401, fields: []},
  UNAUTHENTICATED_USER: {status: 401, fields: []},
  AUTHENTICATION_FAILED: {status: 401, fields: []},
  USER_DEACTIVATED: {status: 401, fields: []},
  REALM_DEACTIVATED: {status: 401, fields: []},
  PASSWORD_AUTH_DISABLED: {status: 401, fields: []},
  PASSWORD_RESET_REQUIRED: {status: 401, fields: []},
  NONEXISTENT_SUBDOMAIN: {status: 404, fields: []},
  RATE_LIMIT_HIT: {status: 429, fields: ['retry-after']},
  INVALID_PUSH_DEVICE_TOKEN: {status: 400, fields: []},
  NO_ACTIVE_PUSH_DEVICE: {status: 400, fields: []},
  PUSH_SERVICE_NOT_CONFIGURED: {status: 400, fields: []},
  CSRF_FAILED: {status: 403, fields: []},
  REQUEST_TIMEOUT: {status: 504, fields: []},
  INSUFFICIENT_STORAGE: {status: 507, fields: []},
  SERVER_NOT_READY: {status: 500, fields: []},
  INTERNAL_SERVER_ERROR: {status: 500, fields: []},
} as const satisfies Record<string, {status: number; fields: readonly string[]}>;

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
