import {createChannel, getChannel, getChannelEmail} from './channels.ts';
import {addEmoji, getAttachments, uploadAvatar, uploadFile} from './files.ts';
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
 * Calls that are more than one request of the table: older servers are asked otherwise, long work is repeated until it is
 * done, and every caller sees the present-day shape. What is only said in other words is in `encode.ts`.
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
  uploadFile,
};
