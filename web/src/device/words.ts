// Words of the page at which a device is set up.

import { catalogue } from '../lib/language.svelte';

export const words = catalogue(
  {
    title: 'Set up this device',
    screen: {
      terminal: (table: string) => `Player Terminal, table ${table}`,
      console: (table: string) => `Game Console, table ${table}`,
      board: (table: string) => `Display board, table ${table}`,
    },
    hint: 'The person who signed for this device as the second person enters its code here.',
    code: 'Code of the device',
    submit: 'Set up',
    wrong:
      'This is not the code of this device, or the device was revoked. Compare it with the code of the second person; capitals, spaces and hyphens do not matter.',
    incomplete: 'This link is incomplete. Open the whole link that the Administrator has.',
  },
  {
    title: '设置此设备',
    screen: {
      terminal: (table: string) => `玩家终端，赌台 ${table}`,
      console: (table: string) => `荷官操作台，赌台 ${table}`,
      board: (table: string) => `显示屏，赌台 ${table}`,
    },
    hint: '由作为第二人签核此设备的人在此输入代码。',
    code: '设备代码',
    submit: '设置',
    wrong: '这不是此设备的代码，或设备已被撤销。请与第二人的代码核对；大小写、空格及连字符无关。',
    incomplete: '链接不完整。请打开管理员持有的整个链接。',
  },
  {
    title: '設定此裝置',
    screen: {
      terminal: (table: string) => `玩家終端機，賭檯 ${table}`,
      console: (table: string) => `荷官操作檯，賭檯 ${table}`,
      board: (table: string) => `顯示屏，賭檯 ${table}`,
    },
    hint: '由作為第二人簽核此裝置的人在此輸入代碼。',
    code: '裝置代碼',
    submit: '設定',
    wrong: '這不是此裝置的代碼，或裝置已被撤銷。請與第二人的代碼核對；大小寫、空格及連字號無關。',
    incomplete: '連結不完整。請開啟管理員持有的整個連結。',
  },
);
