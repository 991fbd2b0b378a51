# there WHY: reports that the finding is still there and exits with 1.
there() { echo "still there: $*"; exit 1; }

# gone WHY: reports that the finding is gone and exits with 0.
gone() { echo "gone: $*"; exit 0; }

# unclear WHY: reports that the script could not tell and exits with 2.
unclear() { echo "could not tell: $*"; exit 2; }

# begin URL: prepares the locale, GATEWAY_URL and a temporary folder.
begin() {
  shopt -u patsub_replacement 2>/dev/null # newer shells read & as what was replaced
  for LC_ALL in C.UTF-8 en_US.UTF-8 C; do
    export LC_ALL
    drawn=$'\303\251'
    [ ${#drawn} != 1 ] || break
  done 2>/dev/null
  GATEWAY_URL=${GATEWAY_URL:-$1} GATEWAY_URL=${GATEWAY_URL%/}
  umask 077
  tmp=$(mktemp -d "${TMPDIR:-/tmp}/repeat.XXXXXX") || unclear 'no temporary folder'
  trap 'rm -rf "$tmp"' EXIT
  trap 'exit 2' HUP INT TERM
}

# need NAME WHAT: requires a variable in the environment.
need() { [ -n "${!1}" ] || unclear "set $1 to $2"; }

# without_last N TEXT: prints TEXT without its last N characters.
without_last() { printf %s "${2:0:${#2}-$1}"; }

# sha2 BITS: prints the SHA-2 sum of its input as escapes that printf %b reads.
sha2() {
  local tool="sha${1}sum"
  command -v "$tool" >/dev/null || tool="shasum -a $1"
  $tool | sed 's/ .*//; s/../\\x&/g'
}

# sign_token BITS KEY TEXT: prints a token of TEXT, header and payload, with its signature by HS256, HS384 or HS512.
sign_token() {
  local size=64 inner outer n i
  [ "$1" = 256 ] || size=128
  for ((i = 0; i < size; i++)); do
    n=0
    [ "$i" -ge ${#2} ] || printf -v n %d "'${2:i:1}"
    printf -v inner '%s\\x%02x' "$inner" $((n ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((n ^ 0x5c))
  done
  inner=$({ printf %b "$inner"; printf %s "$3"; } | sha2 "$1")
  outer=$(printf %b "$outer$inner" | sha2 "$1")
  printf '%s.%s' "$3" "$(printf %b "$outer" | base64 | tr '+/' '-_' | tr -d '=\n')"
}

# swap_case TEXT: prints it with upper and lower case swapped.
swap_case() { printf %s "$1" | LC_ALL=C tr 'a-zA-Z' 'A-Za-z'; }

# draw N: sets $drawn to a random number below N.
draw() {
  [ ${#pool} -ge 4 ] || pool=$(LC_ALL=C tr -dc 0-9a-f </dev/urandom | head -c 800)
  drawn=$((16#${pool:0:4} % $1)) pool=${pool:4}
}

# anew NAME TEXT...: sets each NAME to a new unique text in the form of TEXT. A TEXT derived from an earlier one is
# derived from its replacement.
anew() {
  local old=() new=() made i
  while [ $# -gt 0 ]; do
    made=
    for i in "${!old[@]}"; do
      [ -n "$made" ] || follows "${old[i]}" "${new[i]}" "$2"
    done
    [ -n "$made" ] || alike "$2"
    old+=("$2") new+=("$made")
    printf -v "$1" %s "$made"
    shift 2
  done
}

# follows OLD NEW TEXT: if TEXT is derived from OLD, sets $made to the same derivation of NEW.
follows() {
  local i a b one text='' same=0 digits=0123456789abcdef
  if [[ $3 == *"$1"* ]]; then
    made=${3//"$1"/$2}
  elif [ "$3" = "${1//-/}" ]; then
    made=${2//-/}
  elif [[ $3 == *[A-F]* ]] && [ "$3" = "$(printf %s "$1" | LC_ALL=C tr a-f A-F)" ]; then
    made=$(printf %s "$2" | LC_ALL=C tr a-f A-F)
  elif [ ${#3} = ${#1} ]; then
    for ((i = 0; i < ${#3}; i++)); do
      a=${1:i:1} b=${3:i:1} one=${2:i:1}
      if [[ $a == "$b" ]]; then
        [[ $a != [0-9a-f] ]] || same=$((same + 1))
      elif [[ $a$b == [0-9a-f][0-9a-f] && $i != 14 && $i != 19 ]]; then
        one=${digits:$(((16#$one + 16#$b - 16#$a + 16) % 16)):1}
      else
        one=$b
      fi
      text=$text$one
    done
    [ $same -lt 12 ] || made=$text # by chance, two share three digits
  fi
}

# alike TEXT: sets $made to TEXT with random digits: in a UUID all but version and variant, elsewhere the first and the
# last run of digits. Without digits, letters are replaced.
alike() {
  local i=0 kept=' ' begin='' first=0 last=0 ends=0 set=0123456789abcdef other
  local uuid='^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
  [[ ! $1 =~ $uuid ]] || kept=' 14 19 ' begin=0 first=36 ends=36
  [[ ! $1 =~ ^[0-9a-f]{32}$ ]] || kept=' 12 16 '
  while [[ $ends != 36 && $i -lt ${#1} ]]; do
    if [[ ${1:i} =~ ^[0-9a-f]{4,} ]]; then
      last=$i i=$((i + ${#BASH_REMATCH[0]}))
      begin=${begin:-$last} ends=$i
      [ $first -gt 0 ] || first=$i
    else
      i=$((i + 1))
    fi
  done
  [ $ends -gt 0 ] || set=ghijklmnopqrstuv begin=0 first=${#1}
  made=
  for ((i = 0; i < ${#1}; i++)); do
    other=${1:i:1}
    if [[ $other == ["$set"] && $kept != *" $i "* ]] && ((i >= begin && i < first || i >= last && i < ends)); then
      draw 16
      other=${set:drawn:1}
    fi
    made=$made$other
  done
}

# instants NAME TEXT...: sets each NAME to the instant with other seconds. Instants of the same minute keep their
# distance, and equal fractions of a second stay equal.
instants() {
  local parts='^(.*:([0-9]{2}):)([0-9]{2})([.,][0-9]+)?(.*)$' least=() most=() fraction=() by=() m i
  local all=("$@") second digit
  for ((i = 1; i < $#; i += 2)); do
    [[ ${all[i]} =~ $parts ]] || continue
    m=$((10#${BASH_REMATCH[2]})) second=$((10#${BASH_REMATCH[3]})) digit=${BASH_REMATCH[4]:--}
    [[ ${least[m]:-60} -le $second ]] || least[m]=$second
    [[ ${most[m]:-0} -gt $second ]] || most[m]=$second
    [[ ${fraction[m]:-$digit} == "$digit" ]] || digit=+
    fraction[m]=$digit
  done
  for m in "${!least[@]}"; do
    draw $((56 - most[m] + least[m]))
    by[m]=$((2 + drawn - least[m]))
    case ${fraction[m]} in
    [.,]*)
      for ((i = 1; i < ${#fraction[m]}; i++)); do
        draw 10
        fraction[m]=${fraction[m]:0:i}$drawn${fraction[m]:i+1}
      done
      ;;
    *) fraction[m]= ;;
    esac
  done
  while [ $# -gt 0 ]; do
    printf -v "$1" %s "$2"
    if [[ $2 =~ $parts ]]; then
      m=$((10#${BASH_REMATCH[2]}))
      printf -v "$1" '%s%02d%s%s' "${BASH_REMATCH[1]}" $((10#${BASH_REMATCH[3]} + by[m])) \
        "${fraction[m]:-${BASH_REMATCH[4]}}" "${BASH_REMATCH[5]}"
    fi
    shift 2
  done
}

# cpfs NAME TEXT...: sets each NAME to a CPF with valid check digits.
cpfs() {
  local digits length sum i
  while [ $# -gt 0 ]; do
    digits=
    for i in 1 2 3 4 5 6 7 8 9; do
      draw 10
      digits=$digits$drawn
    done
    for length in 9 10; do
      sum=0
      for ((i = 0; i < length; i++)); do sum=$((sum + ${digits:i:1} * (length + 1 - i))); done
      digits=$digits$((sum * 10 % 11 % 10))
    done
    printf -v "$1" %s "$digits"
    shift 2
  done
}

# literal NAME TEXT: sets NAME to a regular expression that matches exactly TEXT.
literal() {
  local made='' i mark b='\'
  for ((i = 0; i < ${#2}; i++)); do
    mark=${2:i:1}
    [[ $mark == [a-zA-Z0-9_:\ -] ]] || made=$made$b
    made=$made$mark
  done
  printf -v "$1" %s "$made"
}

# many N C: prints the character C, N times.
many() { printf "%$1s" '' | tr ' ' "$2"; }

# setting NAME VALUE: prints a line of curl's configuration. curl reads it from standard input, because other users can
# see arguments.
setting() {
  local value=$2 b='\' q='"'
  value=${value//"$b"/$b$b}
  printf '%s = "%s"\n' "$1" "${value//"$q"/$b$q}"
}

# request ID METHOD URL HEADER...: prints curl's configuration of a request with $body, whose answer goes to $tmp/ID.head
# and .body.
request() {
  local id=$1 method=$2 url=$3 header
  shift 3
  : >"$tmp/$id.head"
  : >"$tmp/$id.body"
  printf '%s\n' "$options" silent show-error globoff
  setting max-time 30
  setting dump-header "$tmp/$id.head"
  setting output "$tmp/$id.body"
  if [ "$method" = HEAD ]; then echo head; else setting request "$method"; fi
  if [ -n "$body$binary" ]; then
    printf "%s$binary" "$body" >"$tmp/$id.sent"
    setting data-binary "@$tmp/$id.sent"
  fi
  [ -z "$verbatim" ] || echo path-as-is
  [ -z "$packed" ] || echo compressed
  setting url "$url"
  setting header Expect:
  for header; do setting header "$header"; done
}

# send ID METHOD URL HEADER...: sends a request with $body and writes the answer to $tmp/ID.status, .head and .body.
send() {
  request "$@" | curl -q -w '%{http_code}' --config - >"$tmp/$1.status" 2>"$tmp/$1.error" || echo 000 >"$tmp/$1.status"
}

# volley N TIMES METHOD URL HEADER...: sends a request TIMES times at once. One curl sends them closer together than
# several do; an old one cannot.
volley() {
  local n=$1 times=$2 i id code at_once=(--parallel --parallel-immediate)
  shift 2
  for ((i = 1; i <= times; i++)); do echo 000 >"$tmp/$n.$i.status"; done
  if curl -q "${at_once[@]}" --version >/dev/null 2>&1; then
    for ((i = 1; i <= times; i++)); do
      [ $i = 1 ] || echo next
      request "$n.$i" "$@"
      setting write-out "$n.$i %{http_code}\n"
    done | curl -q "${at_once[@]}" --config - 2>"$tmp/$n.1.error" |
      while read -r id code; do echo "$code" >"$tmp/$id.status"; done
  else
    for ((i = 1; i <= times; i++)); do send "$n.$i" "$@" & done
  fi
  wait
}

# code_of ID: sets $code to the status of the answer.
code_of() {
  code=
  IFS= read -r code <"$tmp/$1.status"
}

# step N LABEL TIMES METHOD URL HEADER...: sends a request TIMES times at once and prints the answers.
step() {
  local n=$1 label=$2 times=$3 i code verbatim=yes
  shift 3
  if [ "$times" = 1 ]; then send "$n.1" "$@"; else volley "$n" "$times" "$@"; fi
  wait
  status[n]=
  for ((i = 1; i <= times; i++)); do
    code_of "$n.$i"
    status[n]="${status[n]}${status[n]:+ }$code"
    show "$n. $label" "$n.$i"
  done
}

# launch N METHOD URL HEADER...: starts a request in the background; the next step waits for both.
launch() {
  local n=$1 verbatim=yes
  shift
  send "$n.1" "$@" &
}

# landed N LABEL: prints the answer to a launched request.
landed() {
  local code
  code_of "$1.1"
  status[$1]=$code
  show "$1. $2" "$1.1"
}

# show WHAT ID: prints an answer in one line, without credentials.
show() {
  local text secret code
  IFS= read -r -d '' -n 4000 text <"$tmp/$2.body"
  for secret in "${secrets[@]}"; do
    text=${text//"$secret"/[redacted]}
    secret=${secret##*.}
    [ ${#secret} -lt 16 ] || text=${text//"$secret"/[redacted]}
  done
  code_of "$2"
  text="$1: $code ${text//[[:cntrl:]]/ }"
  printf '%s\n' "${text:0:80}"
}

# answered N: unclear unless the gateway itself answered step N.
answered() {
  local code
  for code in ${status[$1]}; do
    case $code in
    000) unclear "step $1 got no answer: $(cat "$tmp/$1".*.error)" ;;
    429 | 502 | 503 | 504) unclear "step $1 was answered with $code" ;;
    esac
  done
}

# answered_or_dropped N: as answered, but a connection that closes or times out without an answer counts too.
answered_or_dropped() {
  local ended='[(](28|52|56)[)]'
  [[ ${status[$1]} == 000 && $(cat "$tmp/$1.1.error") =~ $ended ]] || answered "$1"
}

# known N: as answered, and unclear if step N got 401.
known() {
  answered "$1"
  [[ " ${status[$1]} " != *' 401 '* ]] || unclear "step $1 was answered with 401: is the credential valid?"
}

# not_refused N: unclear if step N got 401. A missing answer is left to the following checks.
not_refused() { [[ " ${status[$1]} " != *' 401 '* ]] || unclear "step $1 was answered with 401: is the credential valid?"; }

# accepted N: unclear unless step N was accepted.
accepted() {
  answered "$1"
  [[ ${status[$1]} == 2?? ]] || unclear "step $1 was answered with ${status[$1]}"
}

# right_status N RIGHT EXCEPT WITHOUT: expects a status in RIGHT and not in EXCEPT from every answer, and no body with the
# text WITHOUT.
right_status() {
  local code
  for code in ${status[$1]}; do
    if ! among "$code" "$2" || among "$code" "$3"; then there "$code, not $2"; fi
  done
  if [ -n "$4" ] && grep -qF -e "$4" "$tmp/$1.1.body"; then there "$code, with $4 in its body"; fi
}

# among STATUS LIST: tests whether STATUS is in a list such as "201 4xx".
among() {
  local one
  for one in $2; do [[ $1 != ${one//x/?} ]] || return 0; done
  return 1
}

# right_same_status N M: expects the same status from both steps.
right_same_status() { [ "${status[$1]}" = "${status[$2]}" ] || there "${status[$1]} and ${status[$2]}"; }

# read_json ID: parses an answer into ${paths[@]}, such as .document.id, and ${values[@]}; fails if it is not JSON.
read_json() {
  local token blank=$' \t\036'
  tokens=() paths=() values=() at=0
  while IFS= read -r token; do
    [ -z "$token" ] || tokens+=("$token")
  done < <(tr '\r\n' '\036\036' <"$tmp/$1.body" | LC_ALL=C sed -E \
    "s/[$blank]*(\"([^\"\\\\]|\\\\.)*\"|[][{},:]|[^][{},:\"$blank]+)[$blank]*/\\1\\
/g")
  read_value '' && [ $at -eq ${#tokens[@]} ]
}

# is_text TOKEN: tests whether it is a JSON string.
is_text() { [[ ${#1} -ge 2 && $1 == \"*\" && $1 != *[$'\036\t']* ]]; }

# read_value PATH: parses the value at token $at.
read_value() {
  local token=${tokens[at]} end=']' key n=0 number='^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$'
  at=$((at + 1)) paths+=("$1")
  [ ${#FUNCNAME[@]} -lt 100 ] || return 1
  case $token in
  '{') values+=(object) end='}' ;;
  '[') values+=(array) ;;
  *)
    is_text "$token" || [[ $token =~ $number || $token == true || $token == false || $token == null ]] || return 1
    spell "$token" '\'
    values+=("$spelt")
    return
    ;;
  esac
  if [ "${tokens[at]}" = "$end" ]; then
    at=$((at + 1))
    return
  fi
  while :; do
    key=$n n=$((n + 1))
    if [ "$end" = '}' ]; then
      is_text "${tokens[at]}" && [ "${tokens[at + 1]}" = : ] || return 1
      plain "${tokens[at]}"
      key=$spelt at=$((at + 2))
    fi
    read_value "$1.$key" || return 1
    at=$((at + 1))
    case ${tokens[at - 1]} in
    ,) ;;
    "$end") return 0 ;;
    *) return 1 ;;
    esac
  done
}

# spell TEXT KEPT: sets $spelt to a JSON text with \u escapes decoded, except \u0000, which bash cannot hold; KEPT replaces
# the backslash of other escapes.
spell() {
  local rest=$1 code
  spelt=
  while [[ $rest == *\\* ]]; do
    spelt=$spelt${rest%%\\*} rest=${rest#*\\}
    if [[ $rest =~ ^u[0-9a-fA-F]{4} ]]; then
      code=$((16#${rest:1:4})) rest=${rest:5}
      if [[ $code -ge 55296 && $code -lt 56320 && $rest =~ ^\\u[dD][c-fC-F][0-9a-fA-F]{2} ]]; then
        code=$((65536 + (code - 55296) * 1024 + 16#${rest:2:4} - 56320)) rest=${rest:6}
      fi
      if ((code)); then
        utf8 $code
      else
        spelt=$spelt'\u0000'
      fi
    elif [ "${rest:0:1}" = / ]; then
      spelt=$spelt/ rest=${rest:1}
    else
      spelt=$spelt$2${rest:0:1} rest=${rest:1}
    fi
  done
  spelt=$spelt$rest
}

# utf8 CODE: appends a character to $spelt.
utf8() {
  local byte bytes=''
  if (($1 < 128)); then
    set -- "$1"
  elif (($1 < 2048)); then
    set -- $((192 | $1 >> 6)) $((128 | $1 & 63))
  elif (($1 < 65536)); then
    set -- $((224 | $1 >> 12)) $((128 | $1 >> 6 & 63)) $((128 | $1 & 63))
  else
    set -- $((240 | $1 >> 18)) $((128 | $1 >> 12 & 63)) $((128 | $1 >> 6 & 63)) $((128 | $1 & 63))
  fi
  for byte; do
    printf -v byte '\\%03o' "$byte"
    bytes=$bytes$byte
  done
  # shellcheck disable=SC2059
  printf -v byte "$bytes"
  spelt=$spelt$byte
}

# plain VALUE: sets $spelt to a JSON value without quotes and escapes.
plain() {
  local text=${1#\"}
  [ "$text" = "$1" ] || text=${text%\"}
  spell "$text" ''
}

# value_at PATH: sets $value to the parsed value at a path; fails if there is none.
value_at() {
  local i
  value=absent
  for i in "${!paths[@]}"; do
    if [ "${paths[i]}" = "$1" ]; then
      value=${values[i]}
      return
    fi
  done
  return 1
}

# look_up ID PATH: sets $value to the value at a path of an answer, which may be wrapped in another object; fails if the
# answer is not JSON.
look_up() {
  local own path i
  value=absent
  read_json "$1" || return 1
  ! value_at ".$2" || return 0
  for own in document address name representor_type person_type shareholder_id file_id; do
    ! value_at ".$own" || { value=absent && return 0; }
  done
  for i in "${!paths[@]}"; do
    path=${paths[i]}
    if [ "${path#.*.}" = "$2" ]; then
      value=${values[i]}
      return 0
    fi
  done
}

# take NAME N PATH: sets NAME to the value at a path of the answer to step N.
take() {
  read_json "$2.1" && value_at "$3" || unclear "the answer to step $2 has nothing at $3"
  plain "$value"
  printf -v "$1" %s "$spelt"
}

# right_value N PATH PATTERN NOT: expects the whole value at a path to match or, with NOT, not to match.
right_value() {
  local not=$4 whole="^($3)\$" # older shells read a pattern only as a variable
  look_up "$1.1" "$2" || unclear 'the answer is no JSON'
  if [[ $value =~ $whole ]]; then
    [ -z "$not" ] || there "$2 is $value"
  else
    [ -n "$not" ] || there "$2 is $value"
  fi
}

# right_enveloped N PATHS: expects one of the paths at the top level of the answer.
right_enveloped() {
  local path
  read_json "$1.1" || unclear 'the answer is no JSON'
  for path in $2; do
    value_at ".$path" && return
  done
  there "the answer has none of $2 at its top"
}

# words N: sets $said to the texts with several words in a JSON answer.
words() {
  local i
  said=''
  read_json "$1.1" || unclear "the answer to step $1 is no JSON"
  for i in "${!values[@]}"; do
    [[ ${values[i]} != '"'*' '*'"' ]] || said+="${values[i]}
"
  done
}

# right_same_words N M: expects the same messages from both steps.
right_same_words() {
  local first
  words "$1" && first=$said && words "$2"
  [ "$first" = "$said" ] || there "they say $said"
}

# right_document N: expects one JSON object in UTF-8 as the body.
right_document() {
  is_utf8 "$1.1" || there 'the answer is not UTF-8'
  read_json "$1.1" && [ "${values[0]}" = object ] || there 'the answer is no JSON object'
}

# is_utf8 ID: tests whether an answer is UTF-8: nothing but ASCII is left without its characters of 2, 3 and 4 bytes.
is_utf8() {
  local more='[\200-\277]' characters
  # shellcheck disable=SC2059
  characters=$(printf "[\302-\337]$more|\340[\240-\277]$more|[\341-\354\356\357]$more$more|\355[\200-\237]$more|\
\360[\220-\277]$more$more|[\361-\363]$more$more$more|\364[\200-\217]$more$more")
  [ -z "$(LC_ALL=C sed -E "s/$characters//g" <"$tmp/$1.body" | LC_ALL=C tr -d '\000-\177')" ]
}

# right_blocked N: expects that no export was started.
right_blocked() {
  [[ ${status[$1]} == 2?? ]] && look_up "$1.1" file_id && [[ $value == '"'?*'"' ]] || return 0
  there "${status[$1]} with file_id $value"
}

# id_of ID: sets $value to the id in an answer; fails if there is none.
id_of() { look_up "$1" id && [[ $value != absent && $value != null && $value != '""' ]]; }

# right_one_record N M MODE: expects both answers to name one record: 409 passes unless MODE is set, "other" allows
# answers without an id, "two" expects two records.
right_one_record() {
  local first
  id_of "$1.1" || unclear "the answer to step $1 names no id"
  first=$value
  if ! id_of "$2.1"; then
    [[ $3 == other || -z $3 && ${status[$2]} == 409 ]] || there "${status[$2]} without an id"
  elif [ "$3" = two ]; then
    [ "$value" != "$first" ] || there "both name id $value"
  elif [ "$value" != "$first" ] && { [ "$3" = other ] || [ "${status[$2]}" != 409 ]; }; then
    there "id $value beside $first"
  fi
}

# right_unchanged N M PATH...: expects the same values in both answers.
right_unchanged() {
  local n=$1 m=$2 path first
  shift 2
  for path; do
    look_up "$n.1" "$path"
    first=$value
    look_up "$m.1" "$path"
    [[ $first == absent || $value == absent || $first == "$value" ]] || there "$path was $first and is $value"
  done
}

# right_differ N M PATH: expects different values in the answers.
right_differ() {
  local first
  look_up "$1.1" "$3" && first=$value && look_up "$2.1" "$3" && [[ $first != absent && $value != absent ]] ||
    unclear "an answer shows no $3"
  [ "$first" != "$value" ] || there "both show $3 $value"
}

# right_at_most_one N RECORDS: expects at most one success among concurrent requests or, with RECORDS, one record in all
# successes.
right_at_most_one() {
  local i=0 code accepted=0 first=''
  for code in ${status[$1]}; do
    i=$((i + 1))
    if [[ $code != 2?? ]]; then
      [[ -z $2 || $code == 409 || $code == 000 || $code == 429 || $code == 50[234] ]] || there "$code, not 409"
      continue
    fi
    accepted=$((accepted + 1))
    [ -n "$2" ] || continue
    id_of "$1.$i" || unclear 'an answer names no id'
    [ "${first:=$value}" = "$value" ] || there "records $first and $value"
  done
  [[ -n $2 || $accepted -le 1 ]] || there "$accepted of $i were accepted"
  [ $accepted -gt 0 ] || unclear 'none was accepted'
  answered "$1"
}

# right_no_leak N: expects no credential in the answer.
right_no_leak() {
  local answer secret
  answer=$(cat "$tmp/$1.1.head" "$tmp/$1.1.body" | tr -d '\000')
  for secret in "${secrets[@]}"; do
    [[ $secret != *.*.* || ${#secret} -lt 16 ]] || secret=${secret##*.}
    [[ ${#secret} -lt 4 || $answer != *"$secret"* ]] || there 'the answer holds a credential'
  done
}

# came_header ID NAME: sets $value to a header of the answer.
came_header() {
  local name rest
  value=
  shopt -s nocasematch
  while IFS=: read -r name rest; do
    rest=${rest%$'\r'}
    [[ $name != "$2" ]] || value=${rest#"${rest%%[! ]*}"}
  done <"$tmp/$1.head"
  shopt -u nocasematch
}

# epoch YEAR MONTH DAY HOUR MINUTE SECOND: sets $epoch to the Unix time in seconds.
epoch() {
  local y=$((10#$1)) m=$((10#$2)) days
  ((m > 2)) || y=$((y - 1)) m=$((m + 12))
  days=$((365 * y + y / 4 - y / 100 + y / 400 + (153 * m - 457) / 5 + 10#$3 - 719469))
  epoch=$((((days * 24 + 10#$4) * 60 + 10#$5) * 60 + 10#$6))
}

# right_now N PATH: expects a date-time within five minutes of the gateway's clock or the local one.
right_now() {
  local ours theirs months=JanFebMarAprMayJunJulAugSepOctNovDec m off=0
  local iso='^"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:?[0-9]{2})"$'
  local http='([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT'
  ours=$(date -u +%s) theirs=$ours
  came_header "$1.1" date
  if [[ $value =~ $http ]]; then
    m=("${BASH_REMATCH[@]}") months=${months%%"${m[2]}"*}
    epoch "${m[3]}" $((${#months} / 3 + 1)) "${m[1]}" "${m[4]}" "${m[5]}" "${m[6]}"
    theirs=$epoch
  fi
  look_up "$1.1" "$2" && [[ $value != absent ]] || unclear "the answer has no $2"
  [[ $value =~ $iso ]] || unclear "$2 is $value, no date-time with an offset"
  m=("${BASH_REMATCH[@]}")
  epoch "${m[1]}" "${m[2]}" "${m[3]}" "${m[4]}" "${m[5]}" "${m[6]}"
  [[ ${m[8]} == [Zz] ]] || off=${m[8]/:/} off=$((10#${off:1:2} * 3600 + 10#${off:3} * 60)) epoch=$((epoch - ${m[8]:0:1}off))
  near "$ours" || near "$theirs" || { near "$ours" "$theirs" && there "$2 is $value"; } ||
    unclear "$2 is $value, and the clocks differ"
}

# near TIME OTHER: tests whether they are within five minutes; OTHER defaults to $epoch.
near() { local apart=$(($1 - ${2:-$epoch})) && ((apart >= -300 && apart <= 300)); }

# origin URL: sets $origin to scheme, host and port.
origin() {
  local rest=${1#*://}
  rest=${rest%%[/?#]*} rest=${rest##*@}
  origin=$(printf %s "${1%%://*}://$rest" | LC_ALL=C tr A-Z a-z)
  [[ $origin =~ :[0-9]+$ ]] || case $origin in
    http:*) origin=$origin:80 ;;
    *) origin=$origin:443 ;;
    esac
}

# join URL REFERENCE: sets $target to the reference resolved against URL; fails if it is not http or https.
join() {
  local base=${1%%[?#]*} root
  [[ $1 =~ ^[a-zA-Z]+://[^/?#]* ]]
  root=${BASH_REMATCH[0]}
  case $2 in
  [hH][tT][tT][pP]://?* | [hH][tT][tT][pP][sS]://?*) target=$2 ;;
  //?*) target=${1%%:*}:$2 ;;
  /*) target=$root$2 ;;
  '?'*) target=$base$2 ;;
  '' | *:*) return 1 ;;
  *)
    [ "$base" != "$root" ] || base=$root/
    target=${base%/*}/$2
    ;;
  esac
  [[ $target != *[[:space:]\\]* ]]
}

# follow ID METHOD URL HEADER...: sends a request and follows redirects; sets $code, and $from to the last URL. Headers
# go only to the origin of GATEWAY_URL, with a new UUID for {uuid}. If a URL from an answer ($given) is refused there
# with them, it is tried without headers.
follow() {
  local id=$1 method=$2 own=yes hop header home body='' binary='' packed=yes verbatim='' headers id4 mark='{uuid}'
  from=$3
  shift 3
  origin "$GATEWAY_URL"
  home=$origin
  for ((hop = 0; hop < 10; hop++)); do
    origin "$from"
    [ "$origin" = "$home" ] || own=
    headers=()
    for header; do
      anew id4 00000000-0000-4000-8000-000000000000
      [ -z "$own" ] || headers+=("${header/$mark/$id4}")
    done
    send "$id" "$method" "$from" "${headers[@]}"
    code_of "$id"
    case $code in
    404 | 409 | 425 | 429) ;;
    4??)
      [ -z "$given" ] || [ -z "$own" ] || send "$id" "$method" "$from"
      code_of "$id"
      ;;
    esac
    came_header "$id" location
    case $code in
    301 | 302 | 303 | 307 | 308) join "$from" "$value" || return 0 ;;
    *) return 0 ;;
    esac
    [ "$code" -gt 303 ] || [ "$code$method" = 303HEAD ] || method=GET
    from=$target given=yes
  done
}

# look ID METHOD URL HEADER...: requests a file once. Succeeds with $fetched set to "yes" or to a final error; fails
# with $why set if the file is not ready.
look() {
  local id=$1 first='' state
  given='' follow "$@"
  final_or_later || return 1
  [ -z "$fetched" ] || return 0
  IFS= read -r -n 1 first <"$tmp/$id.body"
  if [[ -n $state_path$url_path && $first == [{[] ]] && read_json "$id"; then
    if [ -n "$state_path" ] && value_at "$state_path"; then
      plain "$value"
      state=$spelt why="its state is $state"
      if listed "$state" "$state_failed"; then
        fetched=$why
        return 0
      fi
      listed "$state" "$state_ready" || return 1
    fi
    why='the answer has no address of the file'
    [ -n "$url_path" ] && value_at "$url_path" || return 1
    plain "$value"
    [[ $value == '"'*[![:space:]]*'"' ]] || return 1
    if ! join "$from" "$spelt"; then
      fetched='the download address is no URL'
      return 0
    fi
    shift 3
    given=yes follow "$id" GET "$target" "$@"
    final_or_later || return 1
  elif [[ $code == 20[24] ]]; then
    why="the answer is $code"
    return 1
  fi
  fetched=${fetched:-yes}
}

# final_or_later: interprets $code for a file: fails if it may come later; sets $fetched for a final error.
final_or_later() {
  why="the answer is $code"
  case $code in
  2??) ;;
  404 | 409 | 425 | 429 | 50[234]) return 1 ;;
  000 | 5??)
    strange=$((strange + 1))
    [ $strange -ge 5 ] || return 1
    fetched=$why
    ;;
  *) fetched=$why ;;
  esac
}

# listed TEXT LINES: tests whether TEXT is one of the lines.
listed() { [[ $'\n'$2$'\n' == *$'\n'"$1"$'\n'* ]]; }

# fetch N METHOD PATH HEADER...: waits for the file of the export that step N started.
fetch() {
  local n=$1 method=$2 path=$3 mark='{file_id}'
  shift 3
  name_file "$n"
  await "$n.file" "$method" "$GATEWAY_URL${path//$mark/$file_id}" "$@"
}

# await ID METHOD URL HEADER...: waits for the file of a step and writes it to $tmp/ID.body.
await() {
  local n=${1%%.*} start=$SECONDS tries=0 strange=0 code from target fetched='' why='' rows
  until look "$@"; do
    if [ $((SECONDS - start)) -ge "$patience" ]; then
      fetched="not there after $patience seconds: $why"
      break
    fi
    tries=$((tries + 1))
    if [ $tries -gt 10 ]; then sleep 1; else sleep 0.2 2>/dev/null || sleep 1; fi
  done
  [ "$1" != "$n.1" ] || status[n]=$code
  file[n]=$tmp/$1.body came[n]=$fetched
  [ "$fetched" != yes ] || readable "${file[n]}" || came[n]='it cannot be read here'
  if [ "${came[n]}" = yes ]; then
    rows=$(LC_ALL=C tr -dc '\n' <"${file[n]}" | tr '\n' .)
    fetched="${#rows} lines"
  fi
  printf '%s\n' "   file: $fetched"
}

# reach N METHOD URL HEADER...: requests a file once, including its download address.
reach() {
  local n=$1 strange=0 code from target fetched='' why=''
  look "$n.1" "${@:2}" || [[ $code != 2?? ]] || unclear "the file of step $n: $why"
  status[n]=$code
  show "$n. its file" "$n.1"
}

# name_file N: sets $file_id to the file ID of an export, encoded for a URL.
name_file() {
  local LC_ALL=C i one
  look_up "$1.1" file_id && plain "$value" && [[ $value == '"'?*'"' || $value == [0-9]* ]] || unclear "the answer to step $1 names no file_id"
  file_id=
  for ((i = 0; i < ${#spelt}; i++)); do
    one=${spelt:i:1}
    [[ $one == [A-Za-z0-9._~-] ]] || printf -v one %%%02X $(($(printf %d "'$one") & 255))
    file_id=$file_id$one
  done
}

# readable PATH: converts a file to UTF-8 text.
readable() {
  local magic
  magic=$(head -c 3 "$1" | od -An -tx1 | tr -d ' \n')
  case $magic in
  1f8b*) gzip -dc <"$1" >"$1.new" && mv "$1.new" "$1" && readable "$1" ;;
  fffe* | feff*) iconv -f UTF-16 -t UTF-8 <"$1" >"$1.new" && mv "$1.new" "$1" ;;
  esac 2>/dev/null
}

# file_of N: unclear unless the file arrived.
file_of() { [ "${came[$1]}" = yes ] || unclear "the file of step $1: ${came[$1]}"; }

# right_file N: expects the file.
right_file() {
  case ${came[$1]} in
  yes) ;;
  *'the answer is '[45]*) [[ ${came[$1]} == *50[234] || ${came[$1]} == *429 ]] && file_of "$1" || there "${came[$1]}" ;;
  *' 000' | 'it cannot'*) file_of "$1" ;;
  *) there "${came[$1]}" ;;
  esac
}

# in_cells ROW TEXTS: tests whether tab-separated texts are cells of a row, in that order.
in_cells() {
  local text texts rest=,${1%$'\r'},
  IFS=$'\t' read -r -a texts <<<"$2"
  for text in "${texts[@]}"; do
    [[ $rest == *[,\;\|\"$'\t']"$text"[,\;\|\"$'\t']* ]] || return 1
    rest=${rest#*[,\;\|\"$'\t']"$text"}
  done
}

# read_row: reads a row into row, with the line ends that stand in quotes. A quote that is never closed spoils few rows.
read_row() {
  local line quotes n=0
  row=
  while IFS= read -r line || [ -n "$line" ]; do
    row=$row${row:+$'\n'}$line n=$((n + 1))
    quotes=${row//[!\"]/}
    [ $((${#quotes} % 2)) = 1 ] && [ $n -lt 20 ] || return 0
  done
  [ -n "$row" ]
}

# right_rows N WITH WITHOUT ONCE FIRST SECOND: expects the rows WITH, none of WITHOUT, those of ONCE at most once, and
# FIRST before SECOND. Lists have one row per line.
right_rows() {
  local row text n=0 found='' earlier one=0 two=0 wanted=()
  file_of "$1"
  while IFS= read -r text; do
    if [ -n "$text" ] && ! listed "$text" "$found"; then wanted+=("$text") found=$found$'\n'$text; fi
  done <<<"$2"$'\n'"$3"$'\n'"$4"$'\n'"$5"$'\n'"$6"
  found=
  while read_row; do
    n=$((n + 1)) earlier=$found row=${row#$'\357\273\277'}
    for text in "${wanted[@]}"; do
      in_cells "$row" "$text" || continue
      if listed "$text" "$3"; then there "the file has ${text//$'\t'/ }"; fi
      if listed "$text" "$4" && listed "$text" "$earlier"; then there "the file has $text twice"; fi
      found=$found$'\n'$text
      [[ $text != "$5" || $one -gt 0 ]] || one=$n
      [[ $text != "$6" || $two -gt 0 ]] || two=$n
    done
  done <"${file[$1]}"
  while IFS= read -r text; do
    [ -z "$text" ] || listed "$text" "$found" || there "the file has no $text"
  done <<<"$2"
  [ -n "$5" ] || return 0
  [ $one -gt 0 ] && [ $two -gt 0 ] || unclear "the file lacks $5 or $6"
  [ $one -lt $two ] || there "$6 comes before $5"
}

# has_row N TEXTS: tests whether the file has a row with these texts in its cells.
has_row() {
  local row
  while read_row; do
    ! in_cells "${row#$'\357\273\277'}" "$2" || return 0
  done <"${file[$1]}"
  return 1
}

# right_same_rows N M ROWS: expects each row, one per line, in both files or in neither.
right_same_rows() {
  local text
  file_of "$1"
  file_of "$2"
  while IFS= read -r text; do
    if has_row "$1" "$text"; then
      has_row "$2" "$text" || there "the file of step $2 has no ${text//$'\t'/ }, that of step $1 has"
    elif has_row "$2" "$text"; then
      there "the file of step $1 has no ${text//$'\t'/ }, that of step $2 has"
    fi
  done <<<"$3"
}

# right_table N: expects the same number of fields in all lines of the file, and closed quotes.
right_table() {
  local row title='' mark fields most=0 s=, n=0
  file_of "$1"
  LC_ALL=C sed -e "1s/^$(printf '\357\273\277')//" <"${file[$1]}" | tr -d '\r' | tr '\n' '\036' >"$tmp/table"
  IFS= read -r -d $'\036' title <"$tmp/table"
  for mark in , ';' $'\t' '|'; do
    fields=${title//[!"$mark"]/}
    [ ${#fields} -le $most ] || most=${#fields} s=$mark
  done
  # Fields in quotes become a mark.
  LC_ALL=C sed -E -e "s/(^|[$s"$'\036'"])\"([^\"]|\"\")*\"/\\1"$'\037'/g <"$tmp/table" | tr '\036' '\n' >"$tmp/plain"
  while IFS= read -r row || [ -n "$row" ]; do
    n=$((n + 1))
    [ -n "$row" ] || continue
    [[ $row != *'"'* && $row != *$'\037'[!"$s"]* ]] || there "line $n has a quote that is not closed, or within a field"
    row=${row//[!"$s"]/}
    [ ${#row} -eq $most ] || there "line $n has $((${#row} + 1)) fields, the first $((most + 1))"
  done <"$tmp/plain"
}
