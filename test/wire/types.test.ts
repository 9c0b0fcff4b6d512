import {expectTypeOf, test} from 'vitest';
import type {ArgsOf, ParamsOf, ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {EventOf, OutgoingBody, OutgoingEvent, ServerEvent} from '#wire/events.ts';
import type {WireNarrow} from '#wire/narrow.ts';
import type {WireChannel, WireSubscription} from '#wire/objects/channel.ts';
import type {GroupSetting, GroupSettingChange} from '#wire/objects/group.ts';
import type {WireMessage} from '#wire/objects/message.ts';
import type {WireUserSettings} from '#wire/objects/user-settings.ts';
import type {Snapshot} from '#wire/register.ts';

test('a caller may omit optional parameters and those with defaults', () => {
  type Args = ArgsOf<Endpoints['getMessages']>;
  expectTypeOf<{anchor: 'newest'}>().toExtend<Args>();
  expectTypeOf<{anchor: undefined; num_before: 5}>().toExtend<Args>();
  expectTypeOf<{anchor: 'tomorrow'}>().not.toExtend<Args>();
  expectTypeOf<{content: string}>().not.toExtend<ArgsOf<Endpoints['sendMessage']>>();
  expectTypeOf<{type: 'direct'; to: number[]; content: string}>().toExtend<ArgsOf<Endpoints['sendMessage']>>();
});

test('a handler receives defaults filled in', () => {
  type Params = ParamsOf<Endpoints['getMessages']>;
  expectTypeOf<Params['num_before']>().toEqualTypeOf<number>();
  expectTypeOf<Params['narrow']>().toEqualTypeOf<WireNarrow>();
  expectTypeOf<Params['message_ids']>().toEqualTypeOf<number[] | undefined>();
  expectTypeOf<ParamsOf<Endpoints['getMessage']>['message_id']>().toEqualTypeOf<number>();
  expectTypeOf<ParamsOf<Endpoints['getUserByEmail']>['email']>().toEqualTypeOf<string>();
  expectTypeOf<ParamsOf<Endpoints['updateChannel']>['can_subscribe_group']>().toEqualTypeOf<
    GroupSettingChange | undefined
  >();
  expectTypeOf<ParamsOf<Endpoints['subscribe']>['can_subscribe_group']>().toEqualTypeOf<GroupSetting | undefined>();
  expectTypeOf<ParamsOf<Endpoints['updateSettings']>['enter_sends']>().toEqualTypeOf<boolean | undefined>();
});

test('results are inferred', () => {
  expectTypeOf<ResultOf<Endpoints['sendMessage']>['id']>().toEqualTypeOf<number>();
  expectTypeOf<ResultOf<Endpoints['getChannels']>['streams']>().toEqualTypeOf<WireChannel[]>();
  expectTypeOf<ResultOf<Endpoints['register']>>().toEqualTypeOf<Snapshot>();
  expectTypeOf<ResultOf<Endpoints['addDomain']>['new_domain']>().toEqualTypeOf<[number, string]>();
});

test('objects are exact, so that a misspelt field does not compile', () => {
  expectTypeOf<WireMessage>().not.toHaveProperty('sendr_id');
  expectTypeOf<Snapshot>().not.toHaveProperty('realm_nam');
  expectTypeOf<Snapshot['realm_name']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<WireSubscription>().toExtend<WireChannel>();
  expectTypeOf<{color_scheme: undefined}>().toExtend<WireUserSettings>();
});

test('a message narrows by type to its kind of recipient', () => {
  expectTypeOf<Extract<WireMessage, {type: 'stream'}>['display_recipient']>().toEqualTypeOf<string>();
  expectTypeOf<Extract<WireMessage, {type: 'private'}>['display_recipient']>().toBeArray();
});

test('the union of events narrows by type and op', () => {
  const check = (event: ServerEvent) => {
    if (event.type === 'subscription' && event.op === 'peer_add') {
      expectTypeOf(event.user_ids).toEqualTypeOf<number[]>();
    }
    if (event.type === 'video_token') expectTypeOf(event.provider).toEqualTypeOf<string>();
  };
  expectTypeOf(check).toBeFunction();
  expectTypeOf<EventOf<'drafts', 'remove'>['draft_id']>().toEqualTypeOf<number>();
  expectTypeOf<EventOf<'message'>['message']>().toEqualTypeOf<WireMessage>();
  expectTypeOf<{type: 'has_zoom_token'; value: true}>().toExtend<OutgoingEvent>();
  expectTypeOf<{type: 'drafts'; op: 'remove'; draft_id: 4}>().toExtend<OutgoingEvent>();
  expectTypeOf<{type: 'drafts'; op: 'remove'}>().not.toExtend<OutgoingEvent>();
});

test('types: the body of an outgoing event has the fields of its type and op, and lists that are not changed', () => {
  expectTypeOf<{op: 'remove'; draft_id: 4}>().toExtend<OutgoingBody<'drafts'>>();
  expectTypeOf<{op: 'remove'; draft_id: string}>().not.toExtend<OutgoingBody<'drafts'>>();
  expectTypeOf<{op: string; draft_id: 4}>().not.toExtend<OutgoingBody<'drafts'>>();
  expectTypeOf<{op: 'reorder'; order: readonly number[]}>().toExtend<OutgoingBody<'channel_folder'>>();
  expectTypeOf<{value: boolean}>().toExtend<OutgoingBody<'has_zoom_token'>>();
  expectTypeOf<{user_id: 1; consented: true}>().toExtend<OutgoingBody<'realm_export_consent'>>();
});
