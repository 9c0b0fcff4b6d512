import {createChannel, getChannel, getChannelEmail} from './channels.ts';
import {addEmoji, getAttachments, uploadAvatar, uploadBotAvatar, uploadFile} from './files.ts';
import {deleteTopic, flagNarrow, markAllAsRead, updateFlags, updateFlagsForNarrow} from './flags.ts';
import {editMessage, getMessages, matchNarrow, sendMessage} from './messages.ts';
import {deactivateGroup, getBotApiKey, getLinkifiers, updateRealm} from './organization.ts';
import {getUserPresence, getUserPresenceByEmail, updatePresence, updateSettings} from './presence.ts';
import {addReaction, removeReaction} from './reactions.ts';
import {getServerSettings, register} from './session.ts';
import {changeSubscriptions, subscribe} from './subscriptions.ts';
import {sendEditTyping, sendTyping} from './typing.ts';
import {setUserTopic} from './user-topics.ts';
import {getUsers, updateUserByEmail} from './users.ts';
import {startVideoCall} from './video-call.ts';

/**
 * Calls that take more than one request of the endpoint table: older servers need other requests, long work is repeated until
 * it is done, and callers always get the current shape. Parameters with other names or values are handled in
 * `encode-request.ts`.
 */
export const adaptedCalls = {
  addEmoji,
  addReaction,
  changeSubscriptions,
  createChannel,
  deactivateGroup,
  deleteTopic,
  editMessage,
  flagNarrow,
  getAttachments,
  getBotApiKey,
  getChannel,
  getChannelEmail,
  getLinkifiers,
  getMessages,
  getServerSettings,
  getUserPresence,
  getUserPresenceByEmail,
  getUsers,
  markAllAsRead,
  matchNarrow,
  register,
  removeReaction,
  sendEditTyping,
  sendMessage,
  sendTyping,
  setUserTopic,
  startVideoCall,
  subscribe,
  updateFlags,
  updateFlagsForNarrow,
  updatePresence,
  updateRealm,
  updateSettings,
  updateUserByEmail,
  uploadAvatar,
  uploadBotAvatar,
  uploadFile,
};
