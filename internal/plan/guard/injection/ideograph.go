package injection

import (
	"strings"
	"unicode/utf8"
)

// ideographs are the words of languages that are written without spaces, or that
// glue them to their endings. Longer ones stand before their beginnings.
var ideographs = [...]struct {
	word  string
	class class
}{
	{"忽略", cIgnore}, {"无视", cIgnore}, {"無視", cIgnore}, {"忘记", cIgnore}, {"忘掉", cIgnore}, {"忘記", cIgnore}, {"不要理会", cIgnore}, {"抛弃", cSkip},
	{"忘れ", cIgnore}, {"破棄", cIgnore}, {"従わない", cIgnore}, {"무시", cIgnore}, {"잊어", cIgnore}, {"잊고", cIgnore}, {"覆盖", cSkip}, {"绕过", cSkip}, {"丢弃", cSkip}, {"不要遵守", cIgnore}, {"不再遵守", cIgnore},
	{"之前", cPrior}, {"以前", cPrior}, {"先前", cPrior}, {"上述", cPrior}, {"上面", cPrior}, {"以上", cPrior}, {"此前", cPrior}, {"前述", cPrior}, {"これまで", cPrior}, {"前の", cPrior}, {"上記", cPrior}, {"今まで", cPrior}, {"이전", cPrior}, {"위의", cPrior}, {"기존", cPrior}, {"原有", cPrior},
	{"所有", cAll}, {"一切", cAll}, {"全部", cAll}, {"すべて", cAll}, {"全て", cAll}, {"모든", cAll}, {"任何", cAll},
	{"指令", cOrders}, {"指示", cOrders}, {"提示词", cOrders}, {"提示", cOrders}, {"命令", cOrders}, {"プロンプト", cOrders}, {"规则", cOrders}, {"規則", cOrders}, {"ルール", cOrders}, {"지시", cOrders}, {"명령", cOrders}, {"프롬프트", cOrders}, {"설정", cOrders}, {"要求", cOrders}, {"设定", cOrders}, {"限制", cOrders | cLimits}, {"制限", cOrders | cLimits},
	{"系统", cSystem}, {"系統", cSystem}, {"システム", cSystem}, {"시스템", cSystem}, {"初始", cSystem},
	{"不要", cNot}, {"切勿", cNot}, {"请勿", cNot}, {"不得", cNot}, {"别", cNot}, {"禁止", cNot},
	{"告诉", cTell}, {"告知", cTell}, {"提及", cTell}, {"通知", cTell}, {"透露", cTell}, {"知らせ", cTell}, {"伝え", cTell}, {"말하", cTell}, {"알리", cTell},
	{"用户", cUser}, {"使用者", cUser}, {"ユーザー", cUser}, {"사용자", cUser}, {"用戶", cUser},
	{"输出", cReveal}, {"显示", cReveal}, {"打印", cReveal}, {"泄露", cReveal}, {"出力", cReveal}, {"表示して", cReveal}, {"출력", cReveal}, {"보여", cReveal}, {"重复", cReveal}, {"公开", cReveal}, {"教えて", cReveal},
	{"从现在", cNow}, {"现在", cNow}, {"今から", cNow}, {"지금부터", cNow}, {"你", cYou}, {"您", cYou}, {"あなた", cYou}, {"당신", cYou},
	{"发送", cSend}, {"上传", cSend}, {"送信", cSend}, {"전송", cSend}, {"密钥", cSecret}, {"密码", cSecret}, {"环境变量", cSecret}, {"パスワード", cSecret}, {"環境変数", cSecret}, {"凭据", cSecret}, {"秘密鍵", cSecret}, {"비밀번호", cSecret}, {"환경 변수", cSecret},
	{"执行", cRun}, {"运行", cRun}, {"実行", cRun}, {"실행", cRun}, {"助手", cAI}, {"模型", cAI}, {"智能体", cAI}, {"アシスタント", cAI}, {"어시스턴트", cAI},
	{"新的", cNew}, {"新しい", cNew}, {"새로운", cNew}, {"任务", cTask}, {"タスク", cTask}, {"임무", cTask}, {"角色", cTask},
}

// ideograph returns the word at the given place of text and its length in bytes.
func ideograph(text string, at int) (class, int) {
	s := text[at:]
	if r, _ := utf8.DecodeRuneInString(s); r >= 0xAC00 {
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); before >= 0xAC00 && before <= 0xD7A3 {
			return 0, 0 // inside of a Korean word
		}
	}
	for i := range ideographs {
		if w := &ideographs[i]; s[0] == w.word[0] && strings.HasPrefix(s, w.word) {
			return w.class | cForeign | cGlued, len(w.word)
		}
	}
	return 0, 0
}

// ideographic says whether r belongs to a script of these languages.
func ideographic(r rune) bool {
	return 0x3040 <= r && r <= 0x30FF || 0x3400 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3
}
