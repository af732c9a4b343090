-- Runs inside Neovim (0.7 or newer). `...` is the channel of the companion; everything it is told goes there.
local channel = ...
local M = {channel = channel, diffs = {}, seen = {}, files = {}}
_G.gemini_companion = M

local function is_file(buffer)
  return vim.api.nvim_buf_is_valid(buffer) and vim.bo[buffer].buftype == '' and vim.bo[buffer].buflisted and vim.api.nvim_buf_get_name(buffer) ~= '' and not vim.b[buffer].gemini_diff
end

local function now()
  local seconds, microseconds = vim.loop.gettimeofday()
  return seconds * 1000 + math.floor(microseconds / 1000)
end

-- Columns count characters as other editors count them, from 1.
local function place(window)
  local line, column = unpack(vim.api.nvim_win_get_cursor(window))
  local text = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), line - 1, line, false)[1] or ''
  local _, utf16 = vim.str_utfindex(text, math.min(column, #text))
  return {line = line, character = utf16 + 1}
end

local function is_visual(mode)
  return mode == 'v' or mode == 'V' or mode == '\22'
end

-- What is selected now, by lines, by characters or as a block.
local function selection(mode)
  local from, to = vim.fn.getpos('v'), vim.fn.getpos('.')
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then from, to = to, from end
  local lines = vim.api.nvim_buf_get_lines(0, from[2] - 1, to[2], false)
  if #lines == 0 then return nil end
  if mode == 'v' then
    local last = lines[#lines]
    -- The end stands on the first byte of a character, and the whole of it is meant.
    local stop = to[3] > #last and #last or vim.str_utf_end(last, to[3]) + to[3]
    lines[#lines] = last:sub(1, stop)
    lines[1] = lines[1]:sub(from[3])
  elseif mode == '\22' then
    local left, right = math.min(from[3], to[3]), math.max(from[3], to[3])
    for index, line in ipairs(lines) do lines[index] = line:sub(left, right) end
  end
  return table.concat(lines, '\n')
end

-- The window a person looked at last keeps what was selected there until the cursor goes elsewhere: leaving it ends the visual mode.
local function look()
  local window, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  if not is_file(buffer) then return end
  local mode = vim.api.nvim_get_mode().mode
  local cursor = place(window)
  local before = M.active or {}
  if before.buffer ~= buffer or not M.seen[buffer] then M.seen[buffer] = now() end
  local selected
  if is_visual(mode) then
    selected = selection(mode)
  elseif before.buffer == buffer and before.cursor and before.cursor.line == cursor.line and before.cursor.character == cursor.character then
    selected = before.selected
  end
  M.active = {buffer = buffer, cursor = cursor, selected = selected}
end

function M.state()
  local files = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if is_file(buffer) then
      local file = {path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p'), timestamp = M.seen[buffer] or 0}
      if M.active and M.active.buffer == buffer then
        file.isActive = true
        file.cursor = M.active.cursor
        file.selectedText = M.active.selected
      end
      table.insert(files, file)
    end
  end
  return {openFiles = files, root = vim.fn.getcwd(-1, -1)}
end

local waiting = false
local function tell()
  if waiting then return end
  waiting = true
  vim.schedule(function()
    waiting = false
    look()
    pcall(vim.rpcnotify, channel, 'gemini_state', M.state())
  end)
end

-- What a text is as lines, and what lines are as a text: no byte is lost on the way.
local function to_lines(text)
  local ends = text:sub(-1) == '\n'
  return vim.split(ends and text:sub(1, -2) or text, '\n', {plain = true}), ends
end

local function to_text(diff)
  local text = table.concat(vim.api.nvim_buf_get_lines(diff.buffer, 0, -1, false), '\n')
  return vim.bo[diff.buffer].endofline and text .. '\n' or text
end

local function close(path)
  local diff = M.diffs[path]
  M.diffs[path] = nil
  if not diff then return nil end
  local text = vim.api.nvim_buf_is_valid(diff.buffer) and to_text(diff) or nil
  for _, buffer in ipairs({diff.buffer, diff.before}) do
    if buffer and vim.api.nvim_buf_is_valid(buffer) then vim.api.nvim_buf_delete(buffer, {force = true}) end
  end
  if vim.api.nvim_tabpage_is_valid(diff.tab) and #vim.api.nvim_list_tabpages() > 1 then
    vim.cmd('silent! tabclose ' .. vim.api.nvim_tabpage_get_number(diff.tab))
  end
  -- Who was typing in a terminal goes on there.
  if diff.was_typing and vim.bo.buftype == 'terminal' then vim.cmd('startinsert') end
  return text
end

function M.close_diff(path)
  return {text = close(path)}
end

local function accept(path)
  local diff = M.diffs[path]
  if not diff then return end
  local text = to_text(diff)
  vim.bo[diff.buffer].modified = false
  close(path)
  pcall(vim.rpcnotify, channel, 'gemini_accepted', path, text)
end

local function reject(path)
  if not M.diffs[path] then return end
  close(path)
  pcall(vim.rpcnotify, channel, 'gemini_rejected', path)
end

-- The kind of file a path stands for; the path is never part of a command, for a name with a line end in it would run what follows.
local function colour(buffer, path)
  if vim.fn.exists('#filetypedetect') == 0 or path:find('%c') then return end
  if vim.fn.has('nvim-0.8') == 0 then return vim.filetype.match(path, buffer) end
  local kind, more = vim.filetype.match({filename = path, buf = buffer})
  if kind then vim.bo[buffer].filetype = kind end
  if more then more(buffer) end
end

-- With the colours of the file that it stands for.
local function scratch(name, lines, path)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.b[buffer].gemini_diff = true
  vim.api.nvim_buf_set_name(buffer, name)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  -- Without colours it is a diff all the same.
  vim.api.nvim_buf_call(buffer, function() pcall(colour, buffer, path) end)
  return buffer
end

local count = 0
-- A tab of its own: on the left the file as it is, on the right as it would be, where it can be edited. `:w` takes it, closing it does not.
function M.open_diff(path, before, text)
  if M.diffs[path] then close(path) end
  count = count + 1
  local was_typing = vim.api.nvim_get_mode().mode == 't'
  local old = to_lines(before)
  local new, ends = to_lines(text)
  if was_typing then vim.cmd('stopinsert') end
  vim.cmd('tabnew')
  local start = vim.api.nvim_get_current_buf()
  local left = scratch('gemini-before://' .. count .. path, old, path)
  vim.bo[left].modifiable = false
  vim.api.nvim_win_set_buf(0, left)
  vim.wo.statusline = ' ' .. vim.fn.fnamemodify(path, ':~:.'):gsub('%%', '%%%%') .. '  current'
  if vim.api.nvim_buf_is_valid(start) and vim.api.nvim_buf_get_name(start) == '' then vim.api.nvim_buf_delete(start, {force = true}) end
  vim.cmd('diffthis')
  vim.cmd('rightbelow vsplit')
  local right = scratch('gemini://' .. count .. path, new, path)
  vim.api.nvim_win_set_buf(0, right)
  vim.wo.statusline = ' ' .. vim.fn.fnamemodify(path, ':~:.'):gsub('%%', '%%%%') .. '  proposed: :w accepts it with your edits, :q rejects it%=%l,%c '
  vim.cmd('diffthis')
  vim.bo[right].buftype = 'acwrite'
  vim.bo[right].fixendofline = false
  vim.bo[right].endofline = ends
  vim.bo[right].modified = false
  M.diffs[path] = {buffer = right, before = left, tab = vim.api.nvim_get_current_tabpage(), was_typing = was_typing}
  vim.api.nvim_create_autocmd('BufWriteCmd', {buffer = right, callback = function()
    vim.bo[right].modified = false
    vim.schedule(function() accept(path) end)
  end})
  for _, buffer in ipairs({left, right}) do
    vim.api.nvim_create_autocmd('BufWipeout', {buffer = buffer, callback = function()
      -- A diff that was replaced by another of the same file is no longer this one.
      local diff = M.diffs[path]
      if diff and (diff.buffer == buffer or diff.before == buffer) then vim.schedule(function() if M.diffs[path] == diff then reject(path) end end) end
    end})
  end
  return true
end

local function current()
  for path, diff in pairs(M.diffs) do
    if diff.tab == vim.api.nvim_get_current_tabpage() then return path end
  end
  return (next(M.diffs))
end

-- The names and values of variables for terminals that are opened from now on.
function M.set_variables(variables)
  M.variables = variables
  for name, value in pairs(variables) do vim.env[name] = value end
end

-- A companion that ends takes back what it has set. What a later one, or a person, has set since stays.
function M.take_back(own)
  if own ~= M.channel then return end
  for name, value in pairs(M.variables or {}) do
    if vim.env[name] == value then vim.env[name] = nil end
  end
  M.variables = nil
end

local group = vim.api.nvim_create_augroup('gemini_companion', {clear = true})
vim.api.nvim_create_autocmd({'BufEnter', 'BufFilePost', 'BufWritePost', 'BufDelete', 'CursorMoved', 'CursorMovedI', 'ModeChanged', 'WinEnter', 'TabEnter', 'DirChanged', 'TextChanged'}, {group = group, callback = tell})
vim.api.nvim_create_user_command('GeminiAccept', function() local path = current() if path then accept(path) end end, {force = true, desc = 'Accept the change that gemini shows'})
vim.api.nvim_create_user_command('GeminiReject', function() local path = current() if path then reject(path) end end, {force = true, desc = 'Reject the change that gemini shows'})
look()
return {pid = vim.fn.getpid(), state = M.state()}
